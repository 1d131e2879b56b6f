#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The streams of run_kselftest.sh and of the tests without a device, with everything that may happen
# in them, counted by the readers of others.

. "$(dirname "$0")/foreign.sh"
selftests=$(cd "$(dirname "$0")/.." && pwd)

tests=$work/tests
mkdir "$tests"
cp "$selftests/run_kselftest.sh" "$selftests/stream.sh" "$selftests/stream.awk" "$tests/"

# program NAME STATUS: one that prints what comes
program()
{
	cat >"$tests/$1.out"
	# its own name
	# shellcheck disable=SC2016
	printf '#!/bin/sh\ncat "$0.out"\n%s\n' "$2" >"$tests/$1"
	chmod 755 "$tests/$1"
	echo "vshader:$1" >>"$tests/kselftest-list.txt"
}

program test_good "exit 0" <<'END'
TAP version 13
1..6
# Starting 6 tests
#  RUN           good.a ...
ok 1 good.a
ok 2 - good.b
ok 3 good.c # SKIP no fence (vgem #1)
ok 4 # SKIP good.d
ok 5 good.e # not a directive
ok 6 good.f # XFAIL the sources disagree
# Totals: pass:3 fail:0 xfail:1 xpass:0 skip:2 error:0
END
program test_bad "exit 1" <<'END'
TAP version 13
1..4
# bad.c:12: expected 1 (found 2)
not ok 1 bad.a
ok 2 good.a
not ok 3 bad.b # TODO the sources disagree
not ok 4 bad.c # SKIP it did run
END
# a name twice, of one program and of two
program test_same "exit 0" <<'END'
TAP version 13
1..4
ok 1 same
ok 2 same
ok 3 same (2)
ok 4 same
END
# names that look like something else
program test_names "exit 0" <<'END'
TAP version 13
ok 1 5 lights
ok 2 10
ok 3 device \# 1
ok 4 C:\\dir\file
ok 5 100% # 1 and %23
ok 6 - - dashes
ok 7 ok 7 ok
ok 8 1..8
ok 9 TAP version 13
ok 10 todo # done
ok 11
1..11
END
# lines between that look like something else, and bytes
{
	printf '%s\n' 'TAP version 13' '1..2' '# Subtest: x' '    ok 5 indented' '# ok 3 a' '# 1..7' \
		'# TAP version 13' 'pragma +bail' '  ---' '  message: "ok"' '  ...' 'okay' 'ok 1 a'
	printf 'nul \000 bell \007 \377\303\244 \360\237\230\200\r\nok 2 \303\244 \377'
} | program test_lines "exit 0"
# sub-tests, as of KUnit; several streams
program test_kunit "exit 1" <<'END'
KTAP version 1
1..1
    KTAP version 1
    # Subtest: vshader_a
    1..3
    ok 1 x
    ok 2 y # SKIP why
    not ok 3 z
# vshader_a: pass:1 fail:1 skip:1 total:3
not ok 1 vshader_a
KTAP version 1
1..1
    # Subtest: vshader_b
    1..1
    ok 1 x
ok 1 vshader_b
END
# ends before its time
printf 'TAP version 13\n1..3\nok 1 a\n' | program test_crash 'kill -SEGV $$'
printf 'TAP version 13\n1..3\nok 1 a\n' | program test_short "exit 0"
printf 'TAP version 13\nok 1 a\n' | program test_plan "exit 0"
printf 'TAP version 13\n1..1\nok 1 a\n' | program test_status "exit 3"
printf 'TAP version 13\n1..2\nok 1 a\nBail out! no device\n' | program test_bail "exit 1"
: | program test_silent "exit 0"
printf 'TAP version 13\n1..0 # SKIP no module\n' | program test_none "exit 4"
echo "no such device" | program test_skip "exit 4"
printf 'TAP version 13\n1..1\n' | program test_hangs 'exec sleep 1000'
echo "vshader:test_missing" >>"$tests/kselftest-list.txt"
#      good bad same names lines kunit crash short plan status bail
passed=$((4 + 1 + 4 + 11 + 2 + 2 + 1 + 1 + 1 + 1 + 1))
failed=$((0 + 2 + 0 + 0 + 0 + 1 + 1 + 1 + 1 + 1 + 1 + 3))
skipped=$((2 + 1 + 0 + 0 + 0 + 1 + 2))

for shell in dash "busybox sh"; do
	if ! command -v ${shell%% *} >/dev/null; then
		skip "run_kselftest.sh in $shell" "no ${shell%% *}, see scripts/deps foreign"
		continue
	fi
	KSFT_TIMEOUT=2 $shell "$tests/run_kselftest.sh" >"$work/k.tap" 2>"$work/k.err"
	test $? = 1
	result $? "run_kselftest.sh in $shell: status of a failure"
	counted "$work/k.tap" "$passed passed, $failed failed, $skipped skipped" \
		"run_kselftest.sh in $shell"
	names "$work/k.tap" "run_kselftest.sh in $shell"
done
# as on a console; tappy wants the plan in the second line
{
	echo "TAP version 13"
	cat "$work/k.err"
	sed 1d "$work/k.tap"
} >"$work/both.tap"
counted "$work/both.tap" "$passed passed, $failed failed, $skipped skipped" \
	"run_kselftest.sh with its messages" "prove tap-parser kunit lava tap-sum"
sh "$tests/run_kselftest.sh" -t test_same -t test_none >"$work/good.tap" 2>/dev/null
result $? "run_kselftest.sh: status without a failure"
counted "$work/good.tap" "4 passed, 0 failed, 1 skipped" "run_kselftest.sh without a failure"

# stopped: what has ended before counts
# shellcheck disable=SC2016
program test_stop 'kill -TERM $RUNNER' <<'END'
TAP version 13
1..1
ok 1 a
END
sh -c 'export RUNNER=$$; exec sh "$1" -t test_same -t test_stop -t test_same' - \
	"$tests/run_kselftest.sh" >"$work/stop.tap" 2>/dev/null
test $? = 1
result $? "run_kselftest.sh: status when stopped"
counted "$work/stop.tap" "4 passed, 1 failed, 0 skipped" "run_kselftest.sh, stopped"

for program in test_good test_bad test_same test_names test_lines test_kunit test_crash test_short \
	test_plan test_status test_bail test_silent test_none test_skip; do
	echo "suite/$program $tests/$program"
done >"$work/list"
printf 'suite/plain plain echo ok 1 what it prints\nsuite/false plain false\n' >>"$work/list"
python3 "$selftests/run_tests.py" <"$work/list" >"$work/u.tap" 2>"$work/u.err"
test $? = 1
result $? "run_tests.py: status of a failure"
# without the one that hangs and the one that is missing
counted "$work/u.tap" "$((passed + 1)) passed, $((failed - 2 + 1)) failed, $skipped skipped" \
	run_tests.py
names "$work/u.tap" run_tests.py
printf 'a/x plain true\na/xy plain true\nb/x plain true\n' |
	python3 "$selftests/run_tests.py" --filter a/ --without a/x >"$work/u.tap" 2>"$work/u.err"
[ $? = 0 ] && grep -q "^ok 1 a/xy" "$work/u.tap" && grep -q "^1\.\.1$" "$work/u.tap"
shows $? "$work/u.tap"
result $? "run_tests.py: one test is left out, by its whole name"
# The gate's commands of scripts look for no leaks, unless that is asked for; programs do.
# shellcheck disable=SC2016
for gate in "" 1; do
	for options in "" verbosity=1; do
		for test in a/x a/y.sh a/z.py; do
			case $gate$options$test in
			1a/*.*) want=detect_leaks=0 ;;
			*) want=$options ;;
			esac
			echo "$test plain test \"\${ASAN_OPTIONS:-}\" = \"$want\""
		done >"$work/list"
		(
			unset GATE ASAN_OPTIONS
			export ${gate:+GATE=1} ${options:+ASAN_OPTIONS="$options"}
			python3 "$selftests/run_tests.py" <"$work/list"
		) >"$work/u.tap" 2>"$work/u.err"
		shows $? "$work/u.tap"
		result $? "run_tests.py: options of sanitizers${gate:+ in the gate}${options:+, given}"
	done
done
# shellcheck disable=SC2016
printf '%s\n' "suite/same $tests/test_same" 'suite/stop kill -TERM $PPID; exec sleep 5' \
	"suite/same $tests/test_same" |
	python3 "$selftests/run_tests.py" --jobs 1 >"$work/u.tap" 2>"$work/u.err"
test $? = 1
result $? "run_tests.py: status when stopped"
counted "$work/u.tap" "4 passed, 2 failed, 0 skipped" "run_tests.py, stopped"
finish
