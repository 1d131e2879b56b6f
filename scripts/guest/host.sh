# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The host's side of a guest run, common to scripts/vm and scripts/uml, whose variables it has.
# shellcheck shell=sh disable=SC2034,SC2154

timeout=600
module=yes
module_args=
module_file=
leak_check=no
append=
quiet=no
stage=$build/stage
shares=
results=

guest_options()
{
	cat <<-'END'
	  --timeout S         give up after S seconds of an idle machine (default 600): times
	                      KSFT_TIMEOUT_SCALE, and they count for less on a busy one
	  --no-module         do not load vshader.ko (it still is at $VSHADER_MODULE)
	  --module FILE       load this vshader.ko (default: build it)
	  --module-args ARGS  parameters for vshader.ko, or the driver of a register model
	  --append ARGS       more words for the kernel command line
	  --stage DIR         what the guest sees as /stage (default build/stage)
	  --share NAME=DIR    DIR, read-only, as /NAME
	  --results DIR       DIR, writable, as /results
	  --quiet             no progress lines
	END
}

# parse_guest_option ARGS...: handle one option; sets $shifts to the words used.
parse_guest_option()
{
	shifts=2
	case $1 in
	--timeout | --module | --module-args | --append | --stage | --share | --results)
		[ $# -ge 2 ] || die "$1 needs a value"
		;;
	esac
	case $1 in
	--timeout)
		timeout=$2
		;;
	--module)
		[ -e "$2" ] || die "--module: no file $2"
		module_file=$2
		;;
	--module-args)
		module_args=$2
		;;
	--append)
		append=$2
		;;
	--stage)
		stage=$2
		;;
	--share)
		[ -d "${2#*=}" ] || die "--share: no folder ${2#*=}"
		shares="$shares${2%%=*} ro $(cd "${2#*=}" && pwd -P)
"
		;;
	--results)
		mkdir -p "$2" || die "--results: cannot make $2"
		shares="${shares}results rw $(cd "$2" && pwd -P)
"
		;;
	--no-module)
		module=no
		shifts=1
		;;
	--quiet)
		quiet=yes
		shifts=1
		;;
	*)
		return 1
		;;
	esac
}

# A kernel that has been locked up for minutes stays so.
is_locked_up()
{
	grep -aqE 'soft lockup - CPU#[0-9]+ stuck for [3-9][0-9]{2,}s' "${run:-}/console" 2>/dev/null
}

# clock_start, and clock_over, which is called again and again: whether the guest's time is over. While
# more processes than processors want to run, a second counts for less. A kernel that is locked up has
# no more time.
clock_start()
{
	began=$(date +%s)
	_now=$began
	_last=$began
	# in hundredths of seconds
	spent=0
	_limit=$((timeout * ${KSFT_TIMEOUT_SCALE:-1} * 100))
	_idle=$(($(nproc --all) * 100))
}

clock_over()
{
	_now=$(date +%s)
	if [ "$_now" -gt "$_last" ]; then
		# "3.81 ...", processes; without a leading zero, as that would be octal
		read -r _load _ <"${LOADAVG:-/proc/loadavg}"
		_load=$(printf '%s' "$_load" | sed 's/[.]//; s/^0*//')
		[ "${_load:-0}" -gt "$_idle" ] || _load=$_idle
		spent=$((spent + (_now - _last) * 100 * _idle / _load))
		_last=$_now
		! is_locked_up || spent=$_limit
	fi
	[ $spent -ge $_limit ]
}

note()
{
	[ $quiet = yes ] || say "$*"
}

# memory_folder FOLDER...: where the memory of a guest of User-Mode-Linux lives, the kernel wanting a file
# in TMPDIR: the first that has room. A guest touches its memory little by little, so that memory
# promised to running guests, those of other users too, counts as used.
memory_folder()
{
	for _dir; do
		_promises=$_dir/vshader-uml-$(id -u)
		mkdir -m 755 "$_promises" 2>/dev/null || [ -O "$_promises" ] || continue
		chmod 755 "$_promises"
		# all users can lock a folder that they can read
		if promise "$_dir" "$_promises" 9<"$_dir"; then
			echo "$_dir"
			return
		fi
	done
	die "no room for $memory MB of guest memory"
}

# promise FOLDER PROMISES: a file with the size and the process' number as its name, if there is room.
promise()
{
	flock 9
	_free=$(df -Pm "$1" 2>/dev/null | awk 'NR == 2 { print $4 }')
	for _file in "$1"/vshader-uml-*/[0-9]*; do
		[ -f "$_file" ] || continue
		if [ -d "/proc/${_file##*/}" ]; then
			_size=$(head -c 10 "$_file" 2>/dev/null)
			case $_size in
			"" | *[!0-9]*) ;;
			*) _free=$((${_free:-0} - _size)) ;;
			esac
		else
			rm -f "$_file" 2>/dev/null
		fi
	done
	[ "${_free:-0}" -gt $((memory + 64)) ] && (umask 022 && echo "$memory" >"$2/$$")
}

# tried_accel FILE COMMAND...: kvm if COMMAND ends with 85, else tcg. The answer is kept in FILE; that of a
# trial that was out of time for an hour only, as the machine may have been busy.
tried_accel()
{
	_kept=$1
	shift
	find "$_kept" -size -1 -mmin +60 -delete 2>/dev/null
	if [ ! -e "$_kept" ]; then
		note "trying KVM, once, up to 15 s"
		"$@" >/dev/null 2>&1
		case $? in
		85) echo kvm >"$_kept" ;;
		124 | 137) : >"$_kept" ;;
		*) echo tcg >"$_kept" ;;
		esac
	fi
	[ ! -s "$_kept" ] || { cat "$_kept" && return; }
	echo tcg
}

# make_root DIR [BUSYBOX]: the guest's root folder, busybox and mount points only.
make_root()
{
	mkdir -p "$1/bin" "$1/proc" "$1/sys" "$1/dev" "$1/tmp" "$1/run" "$1/etc" \
		"$1/stage" "$1/lib/modules"
	[ -L "$1/sbin" ] || ln -s bin "$1/sbin"
	cmp -s "$top/scripts/guest/model.sh" "$1/bin/vshader-model" ||
		install -m 755 "$top/scripts/guest/model.sh" "$1/bin/vshader-model"
	cmp -s "$top/scripts/guest/init" "$1/init" ||
		install -m 755 "$top/scripts/guest/init" "$1/init"
	if [ ! -e "$1/bin/busybox" ]; then
		for _applet in $(/bin/busybox --list); do
			[ "$_applet" = busybox ] || ln -sf busybox "$1/bin/$_applet"
		done
		cp -f "${2:-/bin/busybox}" "$1/bin/busybox"
	fi
}

# make_run MODE NAME COMMAND...: the folder /run/host of one run, with the modules
# of build/module-NAME as they are now; none if NAME is empty.
make_run()
{
	_mode=$1
	_name=$2
	shift 2
	mkdir -p "$build/$me" "$stage/module"
	run=$(mktemp -d "$build/$me/run.XXXXXX") || die "cannot make a run folder"
	for _arg in "$@"; do
		printf "'%s' " "$(printf '%s' "$_arg" | sed "s/'/'\\\\''/g")"
	done >"$run/command"
	echo >>"$run/command"
	{
		echo "stage ro $(cd "$stage" && pwd -P)"
		echo "module ro $run/module"
		printf '%s' "$shares"
	} >"$run/shares"
	cat >"$run/settings" <<-END
		mode=$_mode
		module=$module
		module_args='$module_args'
		leak_check=$leak_check
	END
	mkfifo "$run/out" "$run/err"
	mkdir "$run/module"
	if [ "$module_file" ]; then
		cp "$module_file" "$run/module/vshader.ko" || exit 2
		return
	fi
	[ "$_name" ] || return 0
	with_build_lock_shared "module-$_name" find "$build/module-$_name" -name '*.ko' \
		-exec cp {} "$run/module/" \; || die "cannot copy the modules"
}

# keep_log: sets _log, the kernel's log of this run, which has ended. kernel.log is that of the one which
# has ended last, as others of its kind may run.
keep_log()
{
	_log=${VSHADER_KERNEL_LOG:-$build/$me/kernel-${run##*.}.log}
	cp "$run/dmesg" "$_log"
	[ -z "${VSHADER_KERNEL_LOG:-}" ] || return 0
	ln -f "$_log" "$run/kernel.log" && mv -f "$run/kernel.log" "$build/$me/kernel.log"
	# names without blanks
	# shellcheck disable=SC2012
	(cd "$build/$me" && ls -t kernel-*.log | tail -n +10 | xargs -r rm -f)
}

# end_run STATUS-OF-THE-MACHINE: print what went wrong, return the result.
#   the command's own status, 3 kernel reported a problem, 124 out of time,
#   125 the guest did not come to an end in the proper way
end_run()
{
	_result=125
	[ -s "$run/dmesg" ] || cp "$run/console" "$run/dmesg"
	keep_log
	if [ "$1" = timeout ]; then
		_result=124
		! is_locked_up || say "the kernel is locked up"
		say "out of time after $((_now - began)) s, which count as $((spent / 100)) s," \
			"limit $((_limit / 100)) s"
	elif [ "$1" = ok ] && [ -s "$run/status" ]; then
		_result=$(cat "$run/status")
	else
		say "the guest ended without a result ($1)"
	fi
	case $_result in
	module)
		say "the module does not load: $(cat "$run/insmod" 2>/dev/null)"
		tail -n 15 "$run/dmesg" >&2
		_result=125
		;;
	stage)
		say "no stage folder in the guest"
		_result=125
		;;
	124 | 125)
		tail -n 30 "$run/console" >&2
		[ ! -s "$run/err" ] || say "the command's last words: $(tail -n 1 "$run/err")"
		;;
	esac
	_module=${driver:-vshader}
	_module=${_module%% *}
	if ! "$top/scripts/klog-check" --module "${_module%%:*}" "$run/dmesg" "$run/console" \
		"$run/kmemleak" >&2; then
		say "the kernel reported a problem; its whole log is $_log"
		_result=3
	fi
	rm -rf "$run"
	return "$_result"
}
