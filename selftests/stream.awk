# SPDX-License-Identifier: GPL-2.0
#
# The outputs of several programs as one stream of TAP, for stream.sh and run_tests.py.
#
#   awk -f stream.awk -v program=NAME -v status=N [-v limit=SECONDS] [-v plain=1] FILE
#       What a program has printed, which is TAP or KTAP: its results without numbers, named
#       "PROGRAM: NAME", and everything else as comments. Sub-tests count instead of their parent. A
#       plan that is not met, or a status that the results do not explain, is a result, too. A plain
#       program is one test and prints no TAP.
#   awk -f stream.awk -v join=1 FILE
#       Such lines of all programs, with version, plan, numbers and unique names. Status 1: one of
#       the results is bad.

BEGIN {
	died = ""
	if (limit && (status == 124 || status == 137 || status == 143))
		died = "out of time after " limit " s"
	else if (status > 128)
		died = "ended by signal " status - 128
	else if (status != 0 && status != 1 && status != 4)
		died = "ended with status " status
}

# ---- one program ----

# Readers differ in what "#" and "\" mean within a name: both are written as in a URL.
function encoded(text)
{
	gsub(/\\\\/, "%5C", text)
	gsub(/\\#/, "%23", text)
	gsub(/\\/, "%5C", text)
	gsub(/#/, "%23", text)
	gsub(/\t/, " ", text)
	sub(/^ *(- +)?/, "", text)
	sub(/ +$/, "", text)
	return text
}

# Bytes that are no UTF-8, which some readers refuse, and control characters.
function clean(text,   good)
{
	sub(/\r$/, "", text)
	gsub(/[\001-\010\013-\037\177]/, "?", text)
	good = ""
	while (match(text, /[\200-\377]/)) {
		good = good substr(text, 1, RSTART - 1)
		text = substr(text, RSTART)
		if (match(text, /^([\302-\337]|\340[\240-\277]|[\341-\354\356\357][\200-\277])[\200-\277]/) ||
		    match(text, /^(\355[\200-\237]|\360[\220-\277][\200-\277])[\200-\277]/) ||
		    match(text, /^([\361-\363][\200-\277]|\364[\200-\217])[\200-\277][\200-\277]/)) {
			good = good substr(text, 1, RLENGTH)
			text = substr(text, RLENGTH + 1)
		} else {
			good = good "?"
			text = substr(text, 2)
		}
	}
	return good text
}

function comment(text)
{
	if (text !~ /^#/)
		text = "# " text
	# for some readers, sub-tests begin so
	if (text ~ /^# *(Subtest|K?TAP version)/)
		sub(/^# */, "# | ", text)
	print text
}

# A result of the level that is open; without a text it is the level's own.
function emit(good, text, why,   full, i)
{
	full = program
	for (i = 1; i <= depth; i++)
		full = full (name[i] == "" ? "" : ": " name[i])
	full = full (text == "" ? "" : ": " encoded(text)) (why == "" ? "" : " # SKIP " why)
	print (good ? "ok - " : "not ok - ") full
	results++
	failures += !good
}

function enter(indent)
{
	depth++
	at[depth] = indent
	name[depth] = plan[depth] = why_none[depth] = ""
	count[depth] = given_up[depth] = 0
	# what comes from now on until the level's next result are sub-tests of that
	results_before[depth] = results
	failures_before[depth] = failures
}

function leave()
{
	if (!died && !given_up[depth]) {
		if (plan[depth] == "")
			emit(0, "no plan (1..N) was printed")
		else if (plan[depth] == 0 && !count[depth] && why_none[depth] != "")
			emit(1, "", why_none[depth])
		else if (plan[depth] == 0 && !count[depth])
			emit(0, "empty plan without a reason")
		else if (plan[depth] != count[depth])
			emit(0, "planned " plan[depth] " tests, " count[depth] " came")
	}
	depth--
}

function leave_to(indent)
{
	while (depth && at[depth] > indent)
		leave()
}

# The level at this indentation: a new one if there is none, or if another stream begins.
function level(indent, another)
{
	leave_to(indent)
	if (depth && at[depth] == indent && another)
		leave()
	if (!depth || at[depth] < indent)
		enter(indent)
}

function is_open(indent,   i)
{
	for (i = 1; i <= depth; i++)
		if (at[i] == indent)
			return 1
	return !indent
}

function result(line,   good, text, word, why, inner, inner_failures)
{
	good = line !~ /^not /
	sub(/^(not )?ok */, "", line)
	sub(/^[0-9]+( +|$)/, "", line)
	text = line
	word = why = ""
	if (match(line, /(^| )# *([Ss][Kk][Ii][Pp]|[Tt][Oo][Dd][Oo]|XFAIL|XPASS|TIMEOUT|exit=)/)) {
		text = substr(line, 1, RSTART - 1)
		why = substr(line, RSTART)
		sub(/^ ?# */, "", why)
		word = toupper(substr(why, 1, 4))
		if (word != "TIME" && word != "EXIT")
			sub(/^[A-Za-z]+[: -]*/, "", why)
	}
	# the kernel's macros print the name there
	if (text ~ /^[ -]*$/)
		text = why == "" ? "unnamed" : why
	inner = results - results_before[depth]
	inner_failures = failures - failures_before[depth]
	count[depth]++
	if (!inner || (!good && !inner_failures)) {
		if (why == "")
			why = "no reason given"
		if (good && word == "SKIP" && !inner)
			emit(1, text, why)
		else if (!good && word == "TODO" && !inner)
			emit(1, text, "no verdict, " why)
		else {
			if (word != "")
				comment("# " why)
			emit(good, text)
		}
	}
	results_before[depth] = results
	failures_before[depth] = failures
}

!join && plain {
	print "# | " clean($0)
	next
}

!join {
	line = clean($0)
	body = line
	sub(/^ +/, "", body)
	indent = length(line) - length(body)
	if (body ~ /^K?TAP version [0-9]+$/) {
		level(indent, is_open(indent) && depth)
	} else if (indent && body ~ /^# Subtest: /) {
		level(indent, depth && at[depth] == indent && (count[depth] || name[depth] != ""))
		name[depth] = encoded(substr(body, 12))
	} else if (body ~ /^1\.\.[0-9]+ *(#.*)?$/) {
		leave_to(indent)
		level(indent, depth && at[depth] == indent && plan[depth] != "")
		plan[depth] = substr(body, 4) + 0
		if (sub(/^[^#]*# */, "", body)) {
			sub(/^[Ss][Kk][Ii][Pp][A-Za-z]*[: -]*/, "", body)
			why_none[depth] = body == "" ? "no reason given" : body
		}
	} else if (body ~ /^(not )?ok( |$)/ && is_open(indent)) {
		level(indent)
		result(body)
	} else if (line ~ /^Bail out!/) {
		level(0)
		emit(0, body)
		given_up[depth] = 1
	} else if (line != "") {
		comment(line)
	}
}

# ---- all of them ----

join && /^(not )?ok - / {
	lines[++n] = $0
	results++
	next
}

join {
	lines[++n] = $0
}

function numbered(line,   good, why, text, k)
{
	good = line ~ /^ok/
	sub(/^(not )?ok - /, "", line)
	why = ""
	if (match(line, / # SKIP /)) {
		why = substr(line, RSTART)
		line = substr(line, 1, RSTART - 1)
	}
	text = line
	for (k = 2; text in seen; k++)
		text = line " (" k ")"
	seen[text] = 1
	failures += !good
	number++
	return (good ? "ok " : "not ok ") number " " text why
}

END {
	if (join) {
		if (!results) {
			lines[++n] = "not ok - no test was run"
			results = 1
		}
		print "1.." results
		for (i = 1; i <= n; i++)
			print (lines[i] ~ /^(not )?ok - /) ? numbered(lines[i]) : lines[i]
		exit (failures > 0)
	}
	while (depth)
		leave()
	if (plain)
		emit(status == 0)
	else if (died)
		emit(0, died)
	else if (status == 4 && !results)
		emit(1, "", "no reason given")
	else if (!results)
		emit(0, "no test was run")
	else if (status == 1 && !failures)
		emit(0, "ended with status 1")
}
