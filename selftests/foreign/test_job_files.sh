#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The JSON Schema of job files with validators of others, python3-jsonschema and npm's ajv: both accept each
# job file of selftests/jobs, each example of the documentation, and what the command writes; both refuse
# what the parser refuses, but for what no schema can say.

. "$(dirname "$0")/foreign.sh"

here=$(dirname "$0")
schema=$TOP/Documentation/job-file.schema.json
python=python3
/usr/bin/python3 -c 'import jsonschema' 2>/dev/null && python=/usr/bin/python3
verdicts=

# a job file that the command writes
cat >"$work/fault.json" <<END
{"vshader": 1, "programs": [{"words": ["0x4c000000", "0x88000000"], "opdesc": ["0x36f"]}],
 "jobs": [{"name": "job", "attributes": [{"reg": 0, "at": "0x5000"}], "outputs": ["o0"]}]}
END
"$VSHADER" run -d local -q -D "$work/fault.dump" "$work/fault.json" >"$work/out" 2>&1
"$VSHADER" dump -o "$work/written" "$work/fault.dump" >>"$work/out" 2>&1
shows $? "$work/out"
result $? "vshader dump writes a job file"

$python "$here/job_files.py" list "$TOP" "$work"/written/*.json >"$work/list" 2>"$work/out"
shows $? "$work/out"
result $? "the list of job files"

if $python -c 'import jsonschema' 2>/dev/null; then
	$python -W ignore "$here/job_files.py" validate "$schema" <"$work/list" >"$work/python" 2>"$work/out"
	code=$?
	shows $code "$work/out"
	result $code "jsonschema reads the schema: $(tail -n 1 "$work/out")"
	verdicts="$verdicts $work/python"
	grep -q 'draft/2020-12' "$work/out"
	result $? "which names its draft"
else
	skip "jsonschema" "no python3-jsonschema, see scripts/deps foreign"
fi
if modules=$(sh "$here/npm.sh" 2>"$work/npm"); then
	node "$here/ajv.js" "$modules" "$schema" <"$work/list" >"$work/ajv" 2>"$work/out"
	code=$?
	shows $code "$work/out"
	result $code "ajv compiles the schema, $(tail -n 1 "$work/out" | cut -c 1-60)"
	verdicts="$verdicts $work/ajv"
else
	skip "ajv" "$(cat "$work/npm")"
fi

if [ "$verdicts" ]; then
	# shellcheck disable=SC2086
	$python "$here/job_files.py" compare "$work/list" $verdicts >"$work/said" 2>"$work/out"
	code=$?
	shows $code "$work/out"
	result $code "the verdicts are compared"
	while read -r code text; do
		case $code in
		0 | 1) result "$code" "$text" ;;
		*) echo "# $text" ;;
		esac
	done <"$work/said"
fi
finish
