#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# perfdata-lint: damage to the header, the sections and the layout of a file.

# shellcheck source=tools/tests/lib.sh
. "$(dirname "$0")/lib.sh"

# Fields of the header.
size=8 attr_size=16 attrs=24 attrs_size=32 data=40 data_size=48 features=72

header() {
	mk plain
	put_text 0 XERFILE2
	bad 'wrong magic' 0 'no perf.data'
	mk plain
	put_text 0 PERFFILE
	bad 'the format before PERFILE2' 0 'PERFFILE'
	mk plain
	put $size 8 96
	bad 'wrong header size' $size 'header size 96'
	mk plain
	put $attr_size 8 0
	bad 'attr_size 0' $attr_size 'unfinished recording'
	mk plain
	put $attr_size 8 72
	bad 'attr_size too small' $attr_size 'attr_size 72'
	mk plain
	put $attr_size 8 4104
	bad 'attr_size too large' $attr_size 'attr_size 4104'
	mk plain
	put $attr_size 8 100
	bad 'attr_size not aligned' $attr_size 'attr_size 100'
	mk plain
	put $features 1 0x89
	[ -z "$order" ] || put $((features + 7)) 1 0x89
	bad 'reserved feature bit' $features 'feature bit 0'
}

attributes() {
	mk plain
	put $attrs 8 96
	bad 'attributes in the header' $attrs 'overlap the header'
	mk plain
	put $attrs 8 "$(at eof)"
	bad 'attributes past the end' $attrs 'attributes at'
	mk plain
	put $attrs 8 -8
	bad 'attributes far past the end' $attrs 'attributes at'
	mk plain
	put $attrs_size 8 0
	bad 'no attributes' $attrs_size '0 bytes of attributes'
	mk plain
	put $attrs_size 8 120
	bad 'part of an attribute' $attrs_size 'not a multiple of attr_size'
	mk plain
	put "$(at attrs 4)" 4 112
	bad 'attribute size not that of the entry' "$(at attrs)" 'has size 112'
	mk plain
	put "$(at attrs 120)" 8 "$(at eof)"
	bad 'ids past the end' "$(at attrs 120)" 'ids of attribute 0'
	mk plain
	put "$(at attrs 128)" 8 4
	bad 'part of an id' "$(at attrs 120)" 'not a multiple of 8'
	mk plain
	put "$(at attrs 120)" 8 "$(at data 8)"
	bad 'ids in the data' "$(at ids)" '8 unexplained bytes between header and'
	mk plain
	put "$(at attrs 128)" 8 16
	bad 'ids that reach into the attributes' "$(at attrs)" 'attributes overlaps ids of attribute 0'
	mk samples
	put "$(at attrs 120)" 8 "$(at ids)"
	put "$(at attrs 128)" 8 800
	put "$(at attrs 256)" 8 "$(at ids)"
	put "$(at attrs 264)" 8 800
	bad 'all ids twice' "$(at attrs 256)" 'ids of attribute 1 overlap others'
	mk samples
	put "$(at attrs 128)" 8 0
	put "$(at attrs 264)" 8 0
	bad 'no ids at all' "$(at LOST_B)" 'which no event attribute has'
	mk samples
	put "$(at attrs 160)" 8 3
	bad 'no id in samples of several events' "$(at attrs)" 'no id in its samples'
	mk samples
	put "$(at attrs 160)" 8 0x41
	bad 'ids at different places' "$(at attrs)" 'the place of the id differs'
	mk samples
	put "$(at attrs 176)" 8 0
	bad 'sample_id_all of one event only' "$(at attrs)" 'sample_id_all differs'
}

data() {
	mk plain
	put $data 8 64
	bad 'data in the header' $data 'overlaps the header'
	mk plain
	put $data 8 "$(at eof 8)"
	bad 'data past the end' $data 'data at'
	mk plain
	put $data_size 8 4096
	bad 'data.size past the end' $data 'goes past the end of the file'
	mk plain
	put $data_size 8 -1
	bad 'data.size far past the end' $data 'goes past the end of the file'
	mk plain
	put $data_size 8 $(($(at end) - $(at data) - 56))
	bad 'data.size one event short' "$(at SAMPLE)" 'feature HOSTNAME at'
	mk plain
	put $data_size 8 $(($(at end) - $(at data) - 8))
	bad 'data.size 8 bytes short' "$(at SAMPLE)" 'goes past the end of the data'
	mk plain
	put $data_size 8 $(($(at end) - $(at data) - 52))
	bad 'data.size in an event header' "$(at SAMPLE)" '4 bytes after the last event'
	mk plain
	put $data_size 8 $(($(at end) - $(at data) + 16))
	bad 'data.size into the feature table' "$(at end)" 'event of type'
	mk plain
	put $data 8 "$(at COMM 56)"
	put $data_size 8 $(($(at end) - $(at COMM 56)))
	bad 'data one event later' "$(at COMM)" '56 unexplained bytes between attributes and data, not all zero'
	mk plain
	put $data 8 "$(at COMM 4)"
	bad 'data not aligned' $data 'not a multiple of 8'
	mk old-header
	printf "%64s" cpu-clock >>f
	put 56 8 "$(at eof)"
	put 64 8 64
	good 'event types, as old files have'
	put 64 8 72
	bad 'event types past the end' 56 'event types at'
	mk unfinished
	bad 'unfinished recording' $data_size 'data.size is 0: unfinished recording, 296 bytes'
	head -c "$(at data)" f >g
	mv g f
	bad 'unfinished recording without events' $data_size 'data.size is 0: unfinished recording, 0 bytes'
	mk plain
	put $data_size 8 0
	bad 'data.size 0 in a complete file' $data_size 'data.size is 0: unfinished recording'
	mk old-header
	put $data_size 8 0
	bad 'data.size 0 without features' $data_size 'unfinished recording'
}

features() {
	mk plain
	put "$(at slot.NRCPUS)" 8 "$(at eof)"
	bad 'feature past the end' "$(at slot.NRCPUS)" 'feature NRCPUS at'
	mk plain
	put "$(at slot.NRCPUS 8)" 8 -8
	bad 'feature with an invented size' "$(at slot.NRCPUS)" 'feature NRCPUS at'
	mk plain
	put "$(at slot.HOSTNAME)" 8 "$(at data)"
	bad 'feature in the data' "$(at slot.HOSTNAME)" 'not after the feature table'
	mk plain
	put "$(at slot.NRCPUS)" 8 "$(at feat.HOSTNAME)"
	bad 'two features at one place' "$(at feat.HOSTNAME)" 'overlaps feature NRCPUS'
	mk plain
	put "$(at slot.HOSTNAME 8)" 8 60
	bad 'feature shorter than it is' "$(at feat.HOSTNAME 60)" '8 unexplained bytes between feature HOSTNAME and feature NRCPUS'
	mk plain
	put "$(at slot.HOSTNAME 8)" 8 72
	bad 'feature longer than it is' "$(at feat.NRCPUS)" 'feature NRCPUS overlaps feature HOSTNAME'
	mk plain
	truncate -s "$(at table 16)" f
	bad 'file ends in the feature table' $features 'feature table at'
	mk plain
	put_text "$(at feat.HOSTNAME 4)" \
		xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
	bad 'string without an end' "$(at feat.HOSTNAME)" 'feature HOSTNAME does not fit'
	mk plain
	put "$(at feat.HOSTNAME)" 4 128
	bad 'string longer than its feature' "$(at feat.HOSTNAME)" 'feature HOSTNAME does not fit'
	mk plain
	put "$(at slot.HOSTNAME 8)" 8 32
	insert "$(at feat.NRCPUS)" /dev/null
	put "$(at slot.NRCPUS)" 8 "$(at feat.HOSTNAME 32)"
	put "$(at slot.NRCPUS 8)" 8 44
	bad 'string in a feature too small for it' "$(at feat.HOSTNAME)" 'feature HOSTNAME does not fit its 32 bytes'

	# One damage for each of the layouts.
	mk all
	put "$(at feat.TRACING_DATA 4)" 1 0x78
	bad 'tracing data without magic' "$(at feat.TRACING_DATA)" 'feature TRACING_DATA does not fit'
	mk all
	put "$(at feat.BUILD_ID 6)" 2 0
	bad 'build id of size 0' "$(at feat.BUILD_ID)" 'feature BUILD_ID does not fit'
	mk all
	put "$(at feat.BUILD_ID 6)" 2 108
	bad 'build id larger than its section' "$(at feat.BUILD_ID)" 'feature BUILD_ID does not fit'
	mk all
	put "$(at feat.CMDLINE)" 4 3
	bad 'more arguments than there are' "$(at feat.CMDLINE)" 'feature CMDLINE does not fit'
	mk all
	put "$(at feat.CMDLINE)" 4 1
	bad 'fewer arguments than there are' "$(at feat.CMDLINE)" 'feature CMDLINE has 68 bytes left'
	mk all
	put "$(at feat.EVENT_DESC 128)" 4 2
	bad 'more ids than there are' "$(at feat.EVENT_DESC)" 'feature EVENT_DESC does not fit'
	mk all
	put "$(at feat.PMU_CAPS 4)" 4 2
	bad 'nested list too long' "$(at feat.PMU_CAPS)" 'feature PMU_CAPS does not fit'
	mk all
	put "$(at feat.BPF_BTF 8)" 4 9
	bad 'blob too long' "$(at feat.BPF_BTF)" 'feature BPF_BTF does not fit'
	mk all
	put "$(at feat.BPF_PROG_INFO 8)" 4 17
	bad 'BPF program too long' "$(at feat.BPF_PROG_INFO)" 'feature BPF_PROG_INFO does not fit'
	mk all
	put "$(at slot.BRANCH_STACK 8)" 8 4
	bad 'flag with content' "$(at feat.BRANCH_STACK)" 'overlaps'
}

layout() {
	printf '\0\0\0\0\0\0\0\0' >eight
	mk plain
	insert "$(at table)" eight
	put "$(at slot.HOSTNAME 8)" 8 $(($(at feat.HOSTNAME) + 8))
	bad 'zeros between data and features' "$(at table)" 'feature HOSTNAME'
	mk plain
	insert "$(at feat.HOSTNAME)" eight
	put "$(at slot.HOSTNAME)" 8 "$(at feat.HOSTNAME 8)"
	put "$(at slot.NRCPUS)" 8 "$(at feat.NRCPUS 8)"
	bad 'gap of half a slot after the table' "$(at feat.HOSTNAME)" '8 unexplained bytes between feature table and feature HOSTNAME, all zero'
	mk plain
	insert "$(at feat.NRCPUS)" eight
	put "$(at slot.NRCPUS)" 8 "$(at feat.NRCPUS 8)"
	bad 'gap between features' "$(at feat.NRCPUS)" '8 unexplained bytes between feature HOSTNAME and feature NRCPUS'
	mk plain
	insert "$(at data)" eight
	put $data 8 "$(at data 8)"
	put "$(at slot.HOSTNAME 8)" 8 "$(at feat.HOSTNAME 8)"
	put "$(at slot.NRCPUS 8)" 8 "$(at feat.NRCPUS 8)"
	bad 'gap before the data' "$(at data)" 'unexplained bytes between attributes and data'
	mk plain
	cat eight >>f
	bad 'zeros after the features' "$(at eof)" '8 unexplained bytes between feature NRCPUS and the end of the file, all zero'
	mk plain
	truncate -s +1M f
	bad 'a mapping that was not cut' "$(at eof)" '1048576 unexplained bytes between feature NRCPUS and the end of the file, all zero'
	mk old-header
	cat eight >>f
	bad 'zeros after data without features' "$(at end)" '8 unexplained bytes between data and the end of the file'
	mk late-attrs
	truncate -s -16 f
	bad 'attributes at the end cut off' $attrs 'attributes at'

	mk spare
	put "$(at spare 8)" 8 1
	bad 'spare slot with a size' "$(at spare)" '32 unexplained bytes between feature table and'
	mk dropped
	put "$(at spare)" 8 0
	bad 'leftover that no slot points to' "$(at leftover)" '8 unexplained bytes between feature NRCPUS and the end'

	# No prefix of a file is good.
	mk plain
	cp f whole
	local n said='' eof
	eof=$(at eof)
	for ((n = 0; n < eof; n += 7)); do
		head -c $n whole >f
		lint -q f
		[ $status -eq 1 ] && [ "$(wc -l <err)" -eq 1 ] || said+=" $n"
	done
	is 'cut at any place it is bad' "$said" ''
	head -c 60 whole >f
	bad 'cut in the header' 60 'ends inside the header'
	head -c 80 whole >f
	bad 'cut in the feature bitmap' 80 'ends inside the header'
	head -c "$(at SAMPLE)" whole >f
	bad 'cut in the data' $data 'goes past the end of the file'
}

aux() {
	mk aux
	put "$(at index.1)" 8 "$(at AUXTRACE)"
	bad 'AUX area index with a wrong offset' "$(at index.1)" 'AUX area index points to'
	mk aux
	put "$(at index.1)" 8 "$(at SAMPLE)"
	bad 'AUX area index that points to another event' "$(at index.1)" 'where no AUXTRACE'
	mk aux
	put "$(at index.0 8)" 8 40
	bad 'AUX area index with a wrong size' "$(at index.0)" 'where no AUXTRACE of size 40'
	mk aux
	put "$(at index.1)" 8 -8
	bad 'AUX area index that points out of the file' "$(at index.1)" 'AUX area index points to'
	mk aux
	put "$(at feat.AUXTRACE)" 8 1
	bad 'AUX area index with a wrong count' "$(at feat.AUXTRACE)" 'feature AUXTRACE does not fit'
	mk aux
	put "$(at AUXTRACE)" 4 70
	insert "$(at AUXTRACE 8)" /dev/null
	bad 'AUX area data without its event' "$(at AUXTRACE 48)" 'zero event header'
	mk aux
	put "$(at AUXTRACE_1 8)" 8 72
	bad 'AUX area data longer than it is' "$(at SAMPLE 8)" 'event of type'
	mk aux
	put "$(at AUXTRACE 8)" 8 -1
	bad 'AUX area data past the end' "$(at AUXTRACE)" 'AUXTRACE with 18446744073709551615 bytes after it'
	mk aux
	put "$(at AUXTRACE 8)" 8 $((64 + 48 + 64))
	bad 'AUXTRACE event too few' "$(at index.0)" 'AUX area index of 2 entries for 1 AUXTRACE'
}

for order in '' -b; do
	header
	attributes
	data
	features
	layout
	aux
done
finish
