#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# How .ci/run ends, with made-up parts, and what scripts/cache removes. TAP
# on stdout.
#
#   sh test_gate.sh TOP PROJECT

top=$1
project=$2
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
number=0
failed=0

# result STATUS TEXT
result()
{
	number=$((number + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $number $2"
	else
		sed 's/^/# /' "$tmp/out" | tail -n 30
		echo "not ok $number $2"
		failed=$((failed + 1))
	fi
}

# gate STATUS PART...: the made-up gate ends with this status
gate()
{
	_want=$1
	shift
	(cd "$tmp/tree" && env -u VSHADER_BUILD -u VSHADER_CONTAINED sh .ci/run "$@") >"$tmp/out" 2>&1 </dev/null
	[ $? -eq "$_want" ]
}

# has PATTERN: a line of the last command's output
has()
{
	grep -Eq -- "$1" "$tmp/out"
}

# last LINE
last()
{
	[ "$(tail -n 1 "$tmp/out")" = "$1" ]
}

echo "TAP version 13"
mkdir -p "$tmp/tree/.ci" "$tmp/tree/scripts"
cp "$top/.ci/run" "$tmp/tree/.ci/"
cp "$top/scripts/contain" "$tmp/tree/scripts/"
for script in deps cache; do
	printf '#!/bin/sh\necho %s >>called\n' "$script" >"$tmp/tree/scripts/$script"
	chmod +x "$tmp/tree/scripts/$script"
done
cat >"$tmp/tree/Makefile" <<'END'
check:
	@echo "FAILED: vm: test_a"; echo "    why a"; echo "FAILED: vm: test_b"; echo "    why b"
	@echo "10 passed, 2 failed, 1 skipped"; exit 1
lint:
	@echo "FAILED: of another kind" >/dev/null; echo "3 passed, 0 failed"
check-mesa:
	@echo nothing is said; exit 3
check-debug:
	@echo "5 passed, 0 failed"; exit 7
demo:
	@echo drawn
END
gate 0 lint
result $? "a part that passes"
last "3 passed, 0 failed"
result $? "the closing line"
[ "$(cat "$tmp/tree/called")" = "deps
cache" ]
result $? "the cache is bounded at the end"
gate 1 check lint demo
result $? "a part that fails"
last "14 passed, 2 failed, 1 skipped"
result $? "the sum of all parts"
has "^check +[0-9]+ +10 +2 +1$" && has "^lint +[0-9]+ +3 +0 +0$" && has "^demo +[0-9]+ +1 +0 +0$"
result $? "a row for each part"
tail -n 6 "$tmp/out" >"$tmp/tail" && tr '\n' '/' <"$tmp/tail" |
	grep -q "check: FAILED: vm: test_a/    why a/check: FAILED: vm: test_b/    why b/"
result $? "the end names each failed test, and why"
gate 1 mesa
result $? "a part without a closing line"
has "^mesa +[0-9]+ +0 +1 +0$" && has "^    nothing is said"
result $? "its last lines"
gate 1 debug
result $? "a status that the closing line does not explain"
# each waits for the other to begin
cat >"$tmp/tree/Makefile" <<'END'
check:
	@touch check; for i in $$(seq 3000); do [ ! -e debug ] || break; sleep 0.1; done; test -e debug
	@echo "1 passed, 0 failed"
check-debug:
	@touch debug; for i in $$(seq 3000); do [ ! -e check ] || break; sleep 0.1; done; test -e check
	@echo "2 passed, 0 failed"
END
gate 0 check debug && last "3 passed, 0 failed" && has "^check +[0-9]+ +1 +0 +0$" && has "^debug +[0-9]+ +2 +0 +0$"
result $? "parts that run beside each other"
gate 2 nonsense
result $? "a part that there is not"

# a full disk is a message, before anything is built
mkdir -p "$tmp/bin"
printf '#!/bin/sh\necho head\necho / 100 99 1048576 99%% /\n' >"$tmp/bin/df"
chmod +x "$tmp/bin/df"
for mode in normal debug mesa; do
	PATH=$tmp/bin:$PATH VSHADER_BUILD=$tmp/build VSHADER_CACHE=$tmp/cache "$top/scripts/check" $mode \
		>"$tmp/out" 2>&1 </dev/null
	[ $? -eq 2 ] && has "needs [0-9]+ GB in $tmp/(build|cache), which has 1 GB free"
	result $? "no room for $mode"
done

# memory promised to guests that run counts as used; that of those that have ended does not
printf '#!/bin/sh\necho head\necho / 2000 1000 1000 50%% /\n' >"$tmp/bin/df"
mkdir -p "$tmp/a" "$tmp/b"
# guest MEGABYTES: takes memory in a or b, says where, and lives until its input ends
guest()
{
	PATH=$tmp/bin:$PATH TOP=$top MB=$1 sh -c '
		me=guest build=$3
		die() { echo "$*"; exit 2; }
		. "$TOP/scripts/guest/host.sh"
		memory=$MB
		memory_folder "$1" "$2" && exec cat' guest "$tmp/a" "$tmp/b" "$tmp/build"
}
mkfifo "$tmp/stop"
guest 600 <"$tmp/stop" >"$tmp/first" &
first=$!
exec 3>"$tmp/stop"
until [ -s "$tmp/first" ]; do
	sleep 0.05
done
guest 600 </dev/null >"$tmp/out"
[ "$(cat "$tmp/first")" = "$tmp/a" ] && [ "$(cat "$tmp/out")" = "$tmp/b" ]
result $? "memory promised to a running guest is not promised again"
guest 300 </dev/null >"$tmp/out" && [ "$(cat "$tmp/out")" = "$tmp/a" ]
result $? "what is left of it is"
guest 2000 </dev/null >"$tmp/out"
[ $? -eq 2 ] && has "no room for 2000 MB"
result $? "no folder has room"
exec 3>&-
wait $first
# of another user: a guest that runs, one that has ended, and nonsense
mkdir "$tmp/a/vshader-uml-4711"
echo 700 >"$tmp/a/vshader-uml-4711/$$"
guest 600 </dev/null >"$tmp/out" && [ "$(cat "$tmp/out")" = "$tmp/b" ]
result $? "memory promised to another user's guest"
rm "$tmp/a/vshader-uml-4711/$$"
echo 700 >"$tmp/a/vshader-uml-4711/$first"
echo 'a[$(touch nonsense)]' >"$tmp/a/vshader-uml-4711/$$"
guest 600 </dev/null >"$tmp/out" && [ "$(cat "$tmp/out")" = "$tmp/a" ] &&
	[ ! -e "$tmp/a/vshader-uml-4711/$first" ] && [ ! -e nonsense ]
result $? "promises that have ended, and files that are none"
guest 600 </dev/null >"$tmp/out" && [ "$(cat "$tmp/out")" = "$tmp/a" ]
result $? "memory of a guest that has ended"

# two checkouts, one of another version, make the initramfs of one kernel in one cache
mkdir -p "$tmp/kernels/image" "$tmp/checkouts/bin"
echo elf >"$tmp/kernels/image/vmlinux.elf"
cat >"$tmp/checkouts/bin/cpio" <<END
#!/bin/sh
cat >/dev/null
echo called >>"$tmp/checkouts/calls"
until [ -e "$tmp/checkouts/go" ]; do
	sleep 0.05
done
echo whole
END
chmod +x "$tmp/checkouts/bin/cpio"
for name in a b; do
	mkdir -p "$tmp/checkouts/$name/scripts"
	cp -r "$top/scripts/vm" "$top/scripts/lib.sh" "$top/scripts/guest" "$tmp/checkouts/$name/scripts/"
	printf '#!/bin/sh\n[ "$1" != image ] && echo 6.1-made-up || echo "%s"\n' "$tmp/kernels/image" \
		>"$tmp/checkouts/$name/scripts/kernel"
	printf '#!/bin/sh\n' >"$tmp/checkouts/$name/scripts/deps"
	chmod +x "$tmp/checkouts/$name/scripts/kernel" "$tmp/checkouts/$name/scripts/deps"
done
echo "# another version" >>"$tmp/checkouts/b/scripts/guest/init"
# boot_files CHECKOUT NUMBER
boot_files()
{
	PATH=$tmp/checkouts/bin:$PATH VSHADER_CACHE=$tmp/kernels VSHADER_BUILD=$tmp/checkouts/$1/build \
		"$tmp/checkouts/$1/scripts/vm" accel --accel tcg >"$tmp/checkouts/out$2" 2>&1 </dev/null
	echo $? >>"$tmp/checkouts/out$2"
}
boot_files a 1 &
boot_files a 2 &
boot_files b 3 &
until [ -s "$tmp/checkouts/calls" ]; do
	sleep 0.05
done
find "$tmp/kernels/image" -name 'initramfs*' >"$tmp/out"
[ ! -s "$tmp/out" ]
result $? "an initramfs that is not complete has not its name yet"
: >"$tmp/checkouts/go"
wait
cat "$tmp"/checkouts/out? "$tmp/checkouts/calls" "$tmp"/kernels/image/initramfs* >"$tmp/out"
[ "$(grep -c '^tcg$' "$tmp/out")" -eq 3 ] && [ "$(grep -c '^0$' "$tmp/out")" -eq 3 ] &&
	[ "$(grep -c '^called$' "$tmp/out")" -eq 2 ] && [ "$(grep -c '^whole$' "$tmp/out")" -eq 2 ]
result $? "two checkouts in one cache: each has its initramfs, made once"
ls -A "$tmp/kernels" "$tmp/kernels/image" >"$tmp/out"
! has '^root' && [ "$(grep -c 'cpio$' "$tmp/out")" -eq 2 ]
result $? "nothing else is left"

# the trial of KVM: an answer is kept, that of a trial without one for an hour
accel()
{
	sh -c 'me=vm build=$1 quiet=no
		say() { echo "$*" >&2; }
		. "$2/scripts/guest/host.sh"
		shift 2
		tried_accel "$@"' accel "$tmp/build" "$top" "$@" >"$tmp/said" 2>"$tmp/out"
	cat "$tmp/said" >>"$tmp/out"
}
accel "$tmp/kvm" sh -c 'exit 85'
last kvm && accel "$tmp/kvm" sh -c 'exit 1' && last kvm && ! has trying
result $? "KVM comes up"
accel "$tmp/none" sh -c 'exit 1'
last tcg && accel "$tmp/none" sh -c 'exit 85' && last tcg && ! has trying
result $? "KVM does not come up"
accel "$tmp/late" sh -c 'exit 124'
last tcg && accel "$tmp/late" sh -c 'exit 85' && last tcg && ! has trying
result $? "a trial out of time is not made again at once"
touch -d "2 hours ago" "$tmp/late"
accel "$tmp/late" sh -c 'exit 85'
last kvm && has trying
result $? "but later"

# limits of guests: made-up times, loads and processors
printf '#!/bin/sh\ncat "%s/now"\n' "$tmp" >"$tmp/bin/date"
printf '#!/bin/sh\necho 2\n' >"$tmp/bin/nproc"
chmod +x "$tmp/bin/date" "$tmp/bin/nproc"
# clock LIMIT SCALE LOAD SECONDS...: when it has been looked at after these, the guest's time is over
clock()
{
	echo "$3 1/2 3" >"$tmp/loadavg"
	PATH=$tmp/bin:$PATH LOADAVG=$tmp/loadavg sh -c '
		me=guest build=$2 now=$3
		. "$1/scripts/guest/host.sh"
		timeout=$4 KSFT_TIMEOUT_SCALE=$5
		shift 6
		echo 1000 >"$now"
		clock_start
		over=1
		for second; do
			[ $over -ne 0 ] || exit 2
			echo $((1000 + second)) >"$now"
			clock_over
			over=$?
		done
		exit $over' clock "$top" "$tmp/build" "$tmp/now" "$@" >"$tmp/out" 2>&1
}
clock 10 1 0.08 1 9 10
result $? "limit of an idle machine"
clock 10 1 0.08 1 9
[ $? -eq 1 ]
result $? "not before"
clock 10 1 8.00 1 10 39 40
result $? "limit of a machine with four times too much to do"
clock 10 3 1.99 9 29 30
result $? "KSFT_TIMEOUT_SCALE"
mkdir -p "$tmp/guest/guest/run.locked"
run=$tmp/guest/guest/run.locked
export run
echo "[  30.1] watchdog: BUG: soft lockup - CPU#1 stuck for 134s! [test_clients:77]" >"$run/console"
clock 1000 1 0.08 1 2 500
[ $? -eq 1 ]
result $? "a kernel that was locked up for two minutes may go on"
echo "[ 230.1] watchdog: BUG: soft lockup - CPU#1 stuck for 302s! [test_clients:77]" >>"$run/console"
clock 1000 1 0.08 1
result $? "a kernel that is locked up has no more time"
unset run

# ended NAME WHAT: the end of a guest with this folder
ended()
{
	sh -c 'me=guest build=$2 run=$2/guest/run.$3 quiet=no top=$1
		say() { echo "$*" >&2; }
		. "$top/scripts/guest/host.sh"
		clock_start
		end_run "$4"' end "$top" "$tmp/guest" "$1" "$2" >"$tmp/out.$1" 2>&1
}
# a guest that was out of time: what it did
mkdir -p "$tmp/guest/guest/run.1"
echo "kernel's last line" >"$tmp/guest/guest/run.1/console"
printf '# test_clients: 3 passed\n# test_clients ...\n' >"$tmp/guest/guest/run.1/err"
ended 1 timeout
[ $? -eq 124 ] && mv "$tmp/out.1" "$tmp/out" && has "^out of time after [0-9]+ s, which count as 0 s, limit 600 s" &&
	has "^kernel's last line" && has "last words: # test_clients \.\.\.$"
result $? "a guest out of time says so and what it did"
ended locked timeout
mv "$tmp/out.locked" "$tmp/out" && has "^the kernel is locked up$"
result $? "a guest that was locked up says so"
# two guests at once: each one's log is its own
for guest in a b; do
	mkdir "$tmp/guest/guest/run.$guest"
	echo "[    1.0] BUG: report $guest" >"$tmp/guest/guest/run.$guest/dmesg"
	: >"$tmp/guest/guest/run.$guest/console"
	echo 0 >"$tmp/guest/guest/run.$guest/status"
done
ended a ok &
ended b ok
wait
cat "$tmp/out.a" "$tmp/out.b" >"$tmp/out"
good=0
for guest in a b; do
	log=$(sed -n 's/.*its whole log is //p' "$tmp/out.$guest")
	grep -q "report $guest" "${log:-/dev/null}" || good=1
done
result $good "the log of a guest is not that of another"
grep -q "report [ab]" "$tmp/guest/guest/kernel.log"
result $? "kernel.log is that of one of them"
for i in 1 2 3 4 5 6 7 8 9 10; do
	mkdir "$tmp/guest/guest/run.n$i"
	echo "[    1.0] log $i" | tee "$tmp/guest/guest/run.n$i/console" >"$tmp/guest/guest/run.n$i/dmesg"
	ended n$i ok
done
ls "$tmp/guest/guest" >"$tmp/out"
[ "$(grep -c '^kernel-' "$tmp/out")" -eq 9 ] && grep -q "log 10" "$tmp/guest/guest/kernel.log"
result $? "the last nine logs are kept"

# an object that the compiler's cache had for another checkout depends on its headers, too: make knows
# objects by their full names, whose first part is a variable
find "$project/obj" -name '*.d' -exec awk 'FNR == 1 && !/^([/]|[$][(](VEC_)?O[)][/])/ { print FILENAME }' {} + >"$tmp/out"
[ -e "$project/obj/engine/exec.d" ] && [ ! -s "$tmp/out" ]
result $? "lists of headers are for the objects as make knows them"
# and the cache has it: nothing in it is that checkout's own
grep -rlF "$project" "$project/obj" >"$tmp/out"
[ $? -eq 1 ]
result $? "objects do not know where the checkout is"

# flags of one object are not those of all, which are compiled again when they change
flags()
{
	env -u MAKEFLAGS -u MFLAGS make -s --no-print-directory -C "$top/selftests" -f userspace.mk O="$tmp/user" \
		PROJECT="$project" "$tmp/user/$1" >"$tmp/out" 2>&1
}
flags .flags && cp "$tmp/user/.flags" "$tmp/flags"
good=$?
for object in lib/gx_prog lib/gl_prog $(cd "$top/selftests" && ls toy/*.c toychip/*.c | sed 's/[.]c$//'); do
	flags "obj/$object.o" && cmp "$tmp/flags" "$tmp/user/.flags" >>"$tmp/out" || good=1
done
result $good "flags of one object are not those of all"

# the longest unused entries go first, and what was used today stays
cache="$tmp/cache"
mkdir -p "$cache/old" "$cache/older" "$cache/new" "$cache/.used"
for name in old older new; do
	head -c 2000000 /dev/zero >"$cache/$name/file"
done
touch -d "9 days ago" "$cache/older"
touch -d "30 days ago" "$cache/old" "$cache/new"
touch -d "5 days ago" "$cache/.used/old"
: >"$cache/.used/new"
VSHADER_CACHE=$cache "$top/scripts/cache" >"$tmp/out" 2>&1
has "2 MB +9 days  older$" && has "2 MB +5 days  old$" && has "2 MB +0 days  new$"
result $? "cache: entries by their last use"
VSHADER_CACHE=$cache "$top/scripts/cache" bound 1 >"$tmp/out" 2>&1 && [ -e "$cache/older" ] &&
	VSHADER_CACHE=$cache "$top/scripts/cache" bound 0 >"$tmp/out" 2>&1 &&
	[ ! -e "$cache/older" ] && [ ! -e "$cache/old" ] && [ -e "$cache/new/file" ]
result $? "cache: bound removes what is too much, but nothing that was used today"
VSHADER_CACHE=$cache "$top/scripts/cache" clean >"$tmp/out" 2>&1 && [ -z "$(ls -A "$cache")" ]
result $? "cache: clean"
echo "1..$number"
[ $failed -eq 0 ]
