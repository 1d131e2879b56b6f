#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The completion for bash, typed into an interactive bash: as the package bash-completion loads it, and
# in a bash without that.

. "$(dirname "$0")/foreign.sh"

package=${BASH_COMPLETION:-/usr/share/bash-completion/bash_completion}
if ! command -v bash >/dev/null; then
	skip "bash" "no bash"
	finish
fi
mkdir -p "$work/user/completions" "$work/files/jobs" "$work/bin"
cp "$PROJECT/completion/vshader.bash" "$work/user/completions/vshader"
touch "$work/files/job.json" "$work/files/jobs/demo.json" "$work/files/pic.png" "$work/files/with blank.json"
# programs that are found by their names
printf '#!/bin/sh\n' >"$work/bin/vsh-program"
chmod +x "$work/bin/vsh-program"
commands=$("$VSHADER" help | sed -n 's/^  \([a-z]*\) .*/\1/p' | grep -v -x help | tr '\n' ' ')
chips="g52 g31 g72 g71 t860 t760 mali400 mali400mp1 mali400mp2 mali400mp3 mali400mp4 mali450 vc4 cygnus"

# completes NAME: the cases of standard input, with the file rc
completes()
{
	env -u BASH_ENV -u PROMPT_COMMAND PATH="$work/bin:$PATH" BASH_COMPLETION_USER_DIR="$work/user" \
		HOME="$work" python3 "$(dirname "$0")/complete.py" "$work/files" "$work/rc" >"$work/said" 2>&1
	shows $? "$work/said"
	result $? "$1: bash answers"
	while read -r _code _text; do
		case $_code in
		0 | 1) result "$_code" "$1: $_text" ;;
		*) echo "# $_text" ;;
		esac
	done <"$work/said"
}

# "~" is the blank that bash adds to a complete word.
common()
{
	cat <<END
vshader re | vshader record~
vshader  | vshader  | $commands help --version --help
vshader help dis | vshader help disasm~
vshader run --she | vshader run --sheet~
vshader run jo | vshader run job | job.json jobs
vshader run jobs/d | vshader run jobs/demo.json~
vshader run with | vshader run with\\ blank.json~
vshader run --png pi | vshader run --png pic.png~
vshader run --png=pi | vshader run --png=pic.png~
vshader run --color=al | vshader run --color=always~
vshader run -d au | vshader run -d auto~
vshader run -d lo | vshader run -d local | local local:workers= local:simd=
vshader run -d local:w | vshader run -d local:workers=
vshader run --device=local:s | vshader run --device=local:simd=
vshader run -d local:workers=2 pi | vshader run -d local:workers=2 pic.png~
vshader asm --isa b | vshader asm --isa bifrost~
vshader asm --isa=b | vshader asm --isa=bifrost~
vshader asm --output zz | vshader asm --output zz
vshader test --shard 1 | vshader test --shard 1
vshader gl --gpu  | vshader gl --gpu  | $chips
vshader gl --gpu= | vshader gl --gpu= | $chips
vshader gl --gpu=t8 | vshader gl --gpu=t860~
vshader gl --sysroot j | vshader gl --sysroot jobs/
vshader gl --setup=tr | vshader gl --setup=trixie~
vshader gl --gpu g52 vsh-p | vshader gl --gpu g52 vsh-program~
vshader gl --gpu=g52 --quiet -- vsh-p | vshader gl --gpu=g52 --quiet -- vsh-program~
vshader gl -- vsh-program --from pi | vshader gl -- vsh-program --from pic.png~
vshader record -o jobs -- vsh-program job. | vshader record -o jobs -- vsh-program job.json~
vshader vm --gpu mali45 | vshader vm --gpu mali450~
vshader vm --kernel=6.12 | vshader vm --kernel=6.12~
END
}

bash --version | sed -n '1s/^/# /p'
echo ". $work/user/completions/vshader" >"$work/rc"
common >"$work/cases"
completes plain <"$work/cases"
if [ -e "$package" ]; then
	sed -n 's/^[# ]*BASH_COMPLETION_VERSINFO=(\(.*\))/# bash-completion \1/p' "$package"
	cat >"$work/rc" <<END
. $package
if declare -F _comp_load >/dev/null; then _comp_load vshader; else _completion_loader vshader; fi
complete -p vshader >$work/loaded
END
	rm -f "$work/ready"
	# options of the program, which its own completion knows
	echo 'vshader record -- chmod --refer | vshader record -- chmod --reference=' >>"$work/cases"
	completes bash-completion <"$work/cases"
	grep -qx 'complete -F _vshader vshader' "$work/loaded"
	result $? "bash-completion: loads it by its name"
else
	skip "bash-completion" "no bash-completion, see scripts/deps foreign"
fi
finish
