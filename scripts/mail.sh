#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Make of each topic of a stack the mails of a patch series: signed off by who
# sends them, with a cover letter, recipients and what they are based on. Nothing
# is sent; the command that would is printed at the end.
#
# usage: [BASE=v7.3 | KDIR=path] [TOPIC=NAME] [V=2] [SOB="Name <address>"] mail.sh
#
#   BASE    a series for LKML is for the newest base, unless another is asked
#           for, or for the tree KDIR, whose commit then is named
#   TOPIC   this one only; a topic is what stands below "# topic: NAME" in series
#   V       version; from 2 on, the cover letter has a range-diff against the one
#           before: that of the tag TOPIC-v1 of this repository or, if it has no
#           such tag, that in build/mail
#   SOB     who signs off and sends; by default who git says you are
#   OUT     where the mails go (build/mail)
#
# The mails are proved by sending them to a file with git send-email, reading
# that file back with git am and, if it is installed, b4, and comparing the trees.

set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"

if [ -z "$KDIR" ] && [[ ${BASE_ORIGIN:-} != command* && ${BASE_ORIGIN:-} != environment* ]]; then
	BASE=$(stacks | tail -n 1) BASE_ORIGIN=environment exec "$0" "$@"
fi

V=${V:-1}
[[ $V =~ ^[1-9][0-9]*$ ]] || die "V=$V: not a version"
letters=$TOP/Documentation/cover-letter
slot=$(basename "$SLOT")
where=${KDIR:+KDIR=$KDIR}
where=${where:-BASE=$BASE}
out=${OUT:-$BUILD/mail}/$slot

# Whose name is below the patches is a person who can be asked.
identity()
{
	local who=${SOB:-}

	[ -n "$who" ] ||
		who="$(git -C "$TOP" config user.name || :) <$(git -C "$TOP" config user.email || :)>"
	[[ $who =~ ^[^\<\>@]*[^\<\>@[:space:]]\ \<[^\<\>@[:space:]]+@[^\<\>@[:space:]]+\.[^\<\>@[:space:]]+\>$ ]] ||
		die "nobody to sign the patches off: set SOB=\"Your Name <your@address>\", or git config user.name and user.email"
	case ${who,,} in
	*@localhost* | *.example\> | *.invalid\> | *.local\> | *noreply*)
		die "$who: cannot sign off, nobody answers at that address; set SOB=\"Your Name <your@address>\"" ;;
	esac
	echo "$who"
}

sob=$(identity)
name=${sob%% <*}
address=${sob##*<}
address=${address%>}

# The topics, and the patches of one, as the series has them.
topics()
{
	sed -n 's/^# *topic: *\([a-z0-9-]*\) *$/\1/p' "$STACK/series"
}

patches_of()
{
	awk -v want="$1" '/^# *topic:/ { topic = $NF; next }
		!/^[ \t]*(#|$)/ && topic == want { print $1 }' "$STACK/series"
}

# Print the command that makes figures which are missing.
missing()
{
	sed -n 's/^@include \([^ ]*\): *\(.*\)/\1|\2/p' "$1" | while IFS='|' read -r file command; do
		[ -f "$SLOT/$file" ] || echo "$command $where"
	done | sort -u
}

# The cover letter $1, less its subject, with the figures in it.
letter_text()
{
	local line

	sed '1,/^$/d' "$1" | while IFS= read -r line; do
		if [[ $line =~ ^@include\ ([^ ]*):\ *(.*)$ ]]; then
			if [ -f "$SLOT/${BASH_REMATCH[1]}" ]; then
				cat "$SLOT/${BASH_REMATCH[1]}"
			else
				echo "[figures are missing: ${BASH_REMATCH[2]}]"
			fi
		else
			printf '%s\n' "$line"
		fi
	done
}

# letter_field FILE FIELD: a line of the head of a cover letter.
letter_field()
{
	sed -n "1,/^\$/s/^$2: *//p" "$1"
}

# Put subject and text into what git format-patch has made of a cover letter.
fill_letter()
{
	local letter=$1 subject

	subject=$(letter_field "$2" Subject)
	letter_text "$2" >"$tmp/text"
	awk -v subject="$subject" -v text="$tmp/text" '
		sub(/\*\*\* SUBJECT HERE \*\*\*/, "") { printf "%s%s\n", $0, subject; next }
		/^\*\*\* BLURB HERE \*\*\*$/ { while ((getline line < text) > 0) print line; next }
		{ print }' "$letter" >"$tmp/letter"
	mv "$tmp/letter" "$letter"
}

# What the patches are based on, for people and for b4. The tree here has
# commits of its own; of the base, others know the tag, and of KDIR its commit.
base_note()
{
	local commit

	if [ -z "$KDIR" ]; then
		echo "base: tag v$(make -s -C "$SLOT/linux-base" kernelversion | sed 's/\.0$//') ($(cat "$SLOT/version"))"
		return
	fi
	commit=$(git -C "$KDIR" rev-parse -q --verify HEAD 2>/dev/null) || :
	if [ -n "$commit" ] &&
		[ -z "$(git -C "$KDIR" status --porcelain -uno -- tools 2>/dev/null)" ]; then
		echo "base-commit: $commit"
	else
		echo "base: v$(tree_version "$KDIR"), ${commit:+commit $commit, }changed"
	fi
}

name_base()
{
	local file

	for file in "$@"; do
		sed -i "s|^base-commit: .*|$(base_note)|" "$file"
	done
}

# signed FROM PATCH...: apply the patches, signed off, on top of commit FROM.
signed()
{
	git -C "$am" checkout -q -f --detach "$1"
	shift
	GIT_COMMITTER_NAME=$name GIT_COMMITTER_EMAIL=$address \
		git -C "$am" am -q --signoff "$@" >"$tmp/said" 2>&1 || {
		die "$(head -n 3 "$tmp/said")"
	}
}

# previous TOPIC FROM: find version V-1, and make it the commits old-base..old.
previous()
{
	local topic=$1 last=$((V - 1)) from=$2 dir stack
	local tag=$topic-v$last
	local -a names below

	if git -C "$TOP" rev-parse -q --verify "refs/tags/$tag" >/dev/null; then
		mkdir "$tmp/old"
		git -C "$TOP" archive "$tag" "patches/$BASE" 2>/dev/null | tar -xf - -C "$tmp/old" ||
			die "the tag $tag has no patches/$BASE to compare with"
		stack=$tmp/old/patches/$BASE
		mapfile -t below < <(STACK=$stack all_below "$topic")
		mapfile -t names < <(STACK=$stack patches_of "$topic")
		git -C "$am" checkout -q -f --detach base
		[ ${#below[@]} = 0 ] || git -C "$am" am -q "${below[@]/#/$stack/}" >/dev/null ||
			die "patches/$BASE of $tag does not apply to this base"
		from=$(git -C "$am" rev-parse HEAD)
		signed "$from" "${names[@]/#/$stack/}"
	else
		dir=$out/$topic/v$last
		compgen -G "$dir/*-0001-*.patch" >/dev/null || compgen -G "$dir/0001-*.patch" >/dev/null ||
			die "V=$V: to compare with there is neither a tag $tag nor $dir"
		mapfile -t names < <(find "$dir" -name '*.patch' ! -name '*0000-cover-letter.patch' | sort)
		git -C "$am" checkout -q -f --detach "$from"
		GIT_COMMITTER_NAME=$name GIT_COMMITTER_EMAIL=$address \
			git -C "$am" am -q -3 "${names[@]}" >"$tmp/said" 2>&1 ||
			die "v$last does not apply to what is below it now; tag what was sent as $tag"
	fi
	git -C "$am" tag -f old-base "$from" >/dev/null
	git -C "$am" tag -f old HEAD >/dev/null
}

# The patches of the topics below topic $1.
all_below()
{
	awk -v want="$1" '/^# *topic:/ { if ($NF == want) exit; next }
		!/^[ \t]*(#|$)/ { print $1 }' "$STACK/series"
}

# Say who gets the mails in $1: maintainers To, reviewers and lists Cc.
recipients()
{
	local who=(perl scripts/get_maintainer.pl --no-tree --no-git --no-git-fallback
		--no-rolestats --no-roles)

	(cd "$linux" && "${who[@]}" --no-l --no-r "$@") | sed 's/^/--to=/'
	(cd "$linux" && "${who[@]}" --no-m "$@") | sed 's/^/--cc=/'
}

# prove DIR FROM TO: what was sent makes of the commit FROM the tree of TO.
prove()
{
	local dir=$1 from=$2 to=$3 want got id

	want=$(git -C "$am" rev-parse "$to^{tree}")
	git -C "$am" -c sendemail.confirm=never send-email --quiet --dry-run \
		"${send[@]}" "$dir"/*.patch >"$tmp/dry-run" 2>&1 </dev/null ||
		die "git send-email --dry-run: $(tail -n 3 "$tmp/dry-run")"
	if grep -i -E 'warn|error|W:' "$tmp/dry-run"; then
		die "git send-email --dry-run has something to say"
	fi
	rm -f "$tmp/mbox"
	MAIL_SINK=$tmp/mbox git -C "$am" -c sendemail.confirm=never send-email --quiet \
		--sendmail-cmd="$TOP/scripts/mail-sink.sh" "${send[@]}" "$dir"/*.patch \
		>"$tmp/said" 2>&1 </dev/null || die "git send-email: $(tail -n 3 "$tmp/said")"

	git -C "$am" checkout -q -f --detach "$from"
	# the cover letter is in there, too
	git -C "$am" am -q --empty=drop "$tmp/mbox" >"$tmp/said" 2>&1 ||
		die "git am cannot apply what was sent: $(tail -n 3 "$tmp/said")"
	got=$(git -C "$am" rev-parse 'HEAD^{tree}')
	[ "$got" = "$want" ] || die "git am makes another tree of what was sent"
	[ "$(git -C "$am" log --format=%B "$from"..HEAD | grep -c -x -F "Signed-off-by: $sob")" = \
		"$(git -C "$am" rev-list --count "$from"..HEAD)" ] ||
		die "not each patch that was sent is signed off"
	proved="git am"

	command -v b4 >/dev/null || return 0
	id=$(sed -n 's/^Message-I[dD]: *<\(.*\)>$/\1/p' "$tmp/mbox" | head -n 1)
	rm -rf "$tmp/b4"
	mkdir "$tmp/b4"
	# in a home of its own, with nothing to ask the net for
	(cd "$am" && HOME=$tmp/home XDG_CONFIG_HOME=$tmp/home XDG_DATA_HOME=$tmp/home \
		b4 --offline-mode --no-stdin am -m "$tmp/mbox" -o "$tmp/b4" "$id") >"$tmp/b4.said" 2>&1 ||
		die "b4: $(tail -n 3 "$tmp/b4.said")"
	git -C "$am" checkout -q -f --detach "$from"
	git -C "$am" am -q "$tmp"/b4/*.mbx >"$tmp/said" 2>&1 ||
		die "git am cannot apply what b4 has made of it: $(tail -n 3 "$tmp/said")"
	[ "$(git -C "$am" rev-parse 'HEAD^{tree}')" = "$want" ] ||
		die "b4 makes another tree of what was sent"
	proved+=" and b4"
}

make_mails()
{
	local topic=$1 letter=$letters/$1.txt dir=$out/$1/v$V from to file
	local -a names below options

	mapfile -t names < <(patches_of "$topic")
	mapfile -t below < <(all_below "$topic")
	[ ${#names[@]} -gt 0 ] || die "patches/$BASE has no patch of the topic $topic"
	[ -f "$letter" ] || die "there is no ${letter#"$TOP/"} to be the cover letter"
	[ -n "$(letter_field "$letter" Subject)" ] || die "${letter#"$TOP/"}: no Subject: in its first lines"
	[ "$V" = 1 ] || grep -q "^Changes in v$V:" "$letter" ||
		die "${letter#"$TOP/"} does not say what has changed: it has no line \"Changes in v$V:\""

	# The commits of the stack are unsigned, those of the topic get signed
	from=$({
		git -C "$am" rev-parse base
		git -C "$am" rev-list --reverse base..stack
	} | sed -n "$((${#below[@]} + 1))p")
	options=()
	if [ "$V" != 1 ]; then
		previous "$topic" "$from"
		options+=(--range-diff=old-base..old -v "$V")
	fi
	signed "$from" "${names[@]/#/$STACK/}"
	to=$(git -C "$am" rev-parse HEAD)

	rm -rf "$dir.new"
	mkdir -p "$dir.new"
	git -C "$am" format-patch -q -o "$dir.new" "$from..$to"
	mapfile -t -O ${#options[@]} options < <(recipients "$dir.new"/*.patch)
	rm "$dir.new"/*
	while read -r file; do
		options+=("--cc=$file")
	done < <(letter_field "$letter" Cc)
	GIT_COMMITTER_NAME=$name GIT_COMMITTER_EMAIL=$address git -C "$am" format-patch \
		-q -o "$dir.new" --cover-letter --thread=shallow --from="$sob" --base=base \
		"${options[@]}" "$from..$to" >"$tmp/said" 2>&1 ||
		die "git format-patch: $(tail -n 3 "$tmp/said")"
	fill_letter "$(find "$dir.new" -name '*0000-cover-letter.patch')" "$letter"
	name_base "$dir.new"/*.patch
	prove "$dir.new" "$from" "$to"
	rm -rf "$dir"
	mv "$dir.new" "$dir"
	echo "$topic: v$V, ${#names[@]} patches and a cover letter in $dir; $proved make the same tree of them"

	mapfile -t todo < <(missing "$letter")
	if [ ${#todo[@]} -gt 0 ]; then
		echo "$topic is not ready to be sent: the cover letter lacks figures, which come from: $(
			printf '%s; ' "${todo[@]}" | sed 's/; $//')"
	else
		echo "to send it: git send-email $(printf '%q ' "${send[@]}") $dir/*.patch && git -C $TOP tag $topic-v$V"
	fi
}

# Nobody reads what is sent to the author that stands in the patches.
send=(--from="$sob" --suppress-cc=author --suppress-cc=body)
git_setup
mkdir -p "$SLOT"
lock "$SLOT/mail.lock"
"$TOP/scripts/prepare.sh" || exit
linux=$SLOT/linux
tmp=$(mktemp -d "$BUILD/mail.XXXXXX")
trap 'rm -rf "$tmp"' EXIT
mkdir "$tmp/home"
am=$tmp/am
git clone -q --shared --no-checkout "$linux" "$am"
git -C "$am" branch -q -f stack origin/stack 2>/dev/null || :
git -C "$am" config user.name "$name"
git -C "$am" config user.email "$address"

mapfile -t all < <(topics)
[ ${#all[@]} -gt 0 ] || die "${STACK#"$TOP/"}/series has no line \"# topic: NAME\""
if [ -n "${TOPIC:-}" ]; then
	[[ " ${all[*]} " == *" $TOPIC "* ]] ||
		die "TOPIC=$TOPIC: patches/$BASE has only: ${all[*]}"
	all=("$TOPIC")
fi
for topic in "${all[@]}"; do
	make_mails "$topic"
done
