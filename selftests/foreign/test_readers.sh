#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The form of our streams, see Documentation/ci.rst: all readers count it alike.

. "$(dirname "$0")/foreign.sh"

cat >"$work/form" <<'END'
TAP version 13
1..6
# RUN test_a
ok 1 test_a: 5 lights
# why it failed
not ok 2 test_a: a %23 b
ok 3 test_a: no fence # SKIP no vgem (#1)
ok 4 test_b: C:%5Cdir
not ok 5 test_b: C:%5Cdir (2)
# 1..2
ok 6 test_b: 1..2
# vshader: programs: 0 passed, 2 failed, 0 skipped
END
counted "$work/form" "3 passed, 2 failed, 1 skipped" "the form"
finish
