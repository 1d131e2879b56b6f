#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The streams of a command in the guest of scripts/vm, as programs of others use them: opened again by
# name, by other users, by the kernel's own runner of tests.

. "$(dirname "$0")/foreign.sh"

# The kernel's runner with a test of each kind.
tests=$work/kselftest
mkdir -p "$tests/demo"
find_readers
for source in $sources; do
	cp -rL "$source/tools/testing/selftests/kselftest" \
		"$source/tools/testing/selftests/run_kselftest.sh" "$tests/" && break
done
for name in ok:0 skip:4 fail:1; do
	printf '#!/bin/sh\necho "TAP version 13"\necho 1..1\necho ok 1 %s\nexit %s\n' \
		"${name%:*}" "${name#*:}" >"$tests/demo/test_${name%:*}"
	echo "demo:test_${name%:*}" >>"$tests/kselftest-list.txt"
done
chmod 755 "$tests"/demo/*

cat >"$work/guest.sh" <<'END'
# in the guest
echo one >/dev/stdout
echo two | tee /dev/stderr
echo three >>/dev/stdout
echo four >/proc/self/fd/1
mount -t tmpfs etc /etc
echo nobody:x:65534:65534::/:/bin/sh >/etc/passwd
su nobody -c 'echo five >/dev/stdout; echo six >/dev/stderr'
cat /dev/stdin
sleep 100000 &
[ ! -e /test/kselftest/run_kselftest.sh ] || sh /test/kselftest/run_kselftest.sh
echo end of the runner
seq 1 50000
printf 'a\0b'
touch /results/end
exit 7
END
{
	printf '%s\n' one two three four five
	seq 1 50000
	printf 'a\0b'
} >"$work/want"
printf '%s\n' two six >"$work/want-err"

"$TOP/scripts/deps" vm >/dev/null 2>&1 || {
	skip "the guest" "no QEMU, see scripts/deps vm"
	finish
}
# No module: nothing is built. What the guest prints is read when the command has ended.
{
	"$TOP/scripts/vm" run --quiet --no-module --module /dev/null --results "$work/results" \
		--share "test=$work" -- sh /test/guest.sh 2>"$work/err"
	echo $? >"$work/code"
	: >"$work/ended"
} | {
	until [ -e "$work/results/end" ] || [ -e "$work/ended" ]; do
		sleep 0.2
	done
	cat
} >"$work/out"
test "$(cat "$work/code")" = 7
shows $? "$work/err"
result $? "the exit status"
sed -e '/^TAP version/,/^end of the runner$/d' -e '/^end of the runner$/d' "$work/out" >"$work/plain"
diff -a "$work/want" "$work/plain" 2>&1 | head -n 10 >"$work/differs"
[ ! -s "$work/differs" ]
shows $? "$work/differs"
result $? "output by names of the streams, all of it to a late reader"
# the first guest of a machine begins with its kernel's download
sed '/^kernel: /d' "$work/err" | diff "$work/want-err" - >"$work/differs" 2>&1
shows $? "$work/differs"
result $? "errors by names of the streams"
if [ -e "$tests/run_kselftest.sh" ]; then
	sed -n '/^TAP version/,/^end of the runner$/p' "$work/out" | sed '$d' >"$work/k.tap"
	counted "$work/k.tap" "1 passed, 1 failed, 1 skipped" "the kernel's run_kselftest.sh" \
		"prove tappy tap-parser"
else
	skip "the kernel's run_kselftest.sh" "no source of Linux"
fi
finish
