# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# How commits become a stack: files that are the same whoever writes them, and
# the series. To be sourced after common.sh.

# write_patches TREE COMMIT DIR: the commits of TREE from base to COMMIT, as
# files of git format-patch. Nothing in them depends on the time, on the
# commits below, or on how many objects the tree has.
write_patches()
{
	git -C "$1" format-patch -q --zero-commit --no-signature --no-stat \
		--no-numbered --no-base --no-thread --no-cover-letter \
		--abbrev=8 -o "$3" "base..$2"
}

# The name of the patch $1 without its number.
slug()
{
	local name=${1##*/}

	echo "${name#[0-9]*-}"
}

# write_series SERIES RELEASE NAME...: the new contents of the file SERIES when
# the patches are NAME...: what stands in front of a patch stays there, also
# when it gets another number or name; a new patch belongs to what is before it.
write_series()
{
	local old=$1 release=$2

	shift 2
	printf '%s\n' "$@" | awk -v release="$release" '
	function slug(name)
	{
		sub(/^[0-9]+-/, "", name)
		return name
	}

	# What stands in front of the k-th old patch, once.
	function before(k)
	{
		printf "%s", text[k]
		text[k] = ""
	}

	FILENAME == "-" {
		name[++nnew] = $0
		is_new[slug($0)] = 1
		next
	}

	# The head of the file is all up to the first blank line
	!head_done && /^#/ {
		if ($0 !~ /^# *Base:/)
			print
		next
	}

	!head_done {
		print "# Base: " release
		head_done = 1
	}

	/^[ \t]*(#|$)/ {
		pending = pending $0 "\n"
		next
	}

	{
		old[++nold] = slug($1)
		at[old[nold]] = nold
		text[nold] = pending
		pending = ""
	}

	END {
		i = 1
		for (j = 1; j <= nnew; j++) {
			s = slug(name[j])
			if (s in at) {
				for (; i < at[s]; i++) {
					if (!(old[i] in is_new))
						before(i)
				}
				before(at[s])
				if (i == at[s])
					i++
			} else if (i <= nold && !(old[i] in is_new)) {
				before(i++)
			}
			print name[j]
		}
		for (i = 1; i <= nold; i++)
			before(i)
		printf "%s", pending
	}' "$old" -
}

# The point release of the tree $1.
release_of()
{
	make -s -C "$1" kernelversion
}

# write_stack TREE COMMIT DIR: patches and series in DIR as they are to be in
# patches/$BASE, whose series is there.
write_stack()
{
	local -a names

	mkdir -p "$3"
	write_patches "$1" "$2" "$3"
	mapfile -t names < <(cd "$3" && find . -name '*.patch' | sed 's|^\./||' | sort)
	[ ${#names[@]} -gt 0 ] || die "there is no commit between base and $2 in $1"
	write_series "$STACK/series" "$(release_of "$1")" "${names[@]}" >"$3/series"
}

# take_stack DIR: make patches/$BASE what DIR holds, and say what that changed.
take_stack()
{
	local file changed=0

	for file in "$STACK"/*; do
		if [ ! -e "$1/${file##*/}" ]; then
			rm "$file"
			echo "removed ${file#"$TOP/"}"
			changed=1
		fi
	done
	for file in "$1"/*; do
		if ! cmp -s "$file" "$STACK/${file##*/}"; then
			[ -e "$STACK/${file##*/}" ] && echo -n "changed" || echo -n "new    "
			echo " patches/$BASE/${file##*/}"
			cp "$file" "$STACK/${file##*/}"
			changed=1
		fi
	done
	[ $changed = 1 ] || echo "nothing has changed in patches/$BASE"
}
