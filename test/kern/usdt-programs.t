#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# usdt-programs.t: static probes of Debian's own programs, compared with the programs' own counts.  The programs are
# PostgreSQL under pgbench, Python (garbage collections), Ruby and PHP (calls), and a Java virtual machine (loaded
# classes).
#
# guests: none
# needs: gcc java javac node php python3 ruby /usr/lib/postgresql
. "${0%/*}/lib.sh"
. "${0%/*}/tools.sh"

# ---- PostgreSQL, whose processes are children of a server

bin=$(printf '%s\n' /usr/lib/postgresql/*/bin | tail -n 1)
as_postgres() {
	setpriv --reuid postgres --regid postgres --clear-groups "$@"
}

postgres_stop() {
	cd "$data" && [ ! -e db/postmaster.pid ] || as_postgres "$bin/pg_ctl" -D "$data/db" -m immediate stop >/dev/null
	rm -rf "$data"
	cleanup
}

data=$(mktemp -d)
trap postgres_stop EXIT
chown postgres "$data"
cd "$data" || exit 1
as_postgres "$bin/initdb" -A trust -D "$data/db" >"$work/initdb" 2>&1
as_postgres "$bin/pg_ctl" -D "$data/db" -w -l "$data/log" -o "-k $data -c listen_addresses='' -c autovacuum=off" \
	start >/dev/null
server=$(head -n 1 "$data/db/postmaster.pid")
run_sql() {
	as_postgres "$bin/psql" -h "$data" -Atc "$1" postgres
}
as_postgres "$bin/pgbench" -h "$data" -i -s 1 postgres >/dev/null 2>&1
commits() {
	run_sql "select xact_commit from pg_stat_database where datname = 'postgres'"
}

dtrace_start -q -x strsize=64 -n 'postgresql*:::query-start /progenyof('"$server"')/ {
		self->start = timestamp; @query[substr(copyinstr(arg0), 0, 22)] = count(); @starts = count(); }
	postgresql*:::query-done /self->start/ { @time = max((timestamp - self->start) / 1000000000);
		@done = count(); self->start = 0; }
	postgresql*:::transaction-commit /progenyof('"$server"')/ { @commit = count(); }
	postgresql*:::lwlock-acquire /progenyof('"$server"')/ { @lock[copyinstr(arg0)] = count(); }
	END { printa("%s|%@d\n", @query); printa("starts|%@d\n", @starts); printa("done|%@d\n", @done);
		printa("slow|%@d\n", @time); printa("commit|%@d\n", @commit); printa("lock %s|%@d\n", @lock); }'
before=$(commits)
as_postgres "$bin/pgbench" -h "$data" -c 4 -t 50 -n postgres >"$work/pgbench" 2>&1
# A server process adds its numbers to the server's when it ends, which is after its client has gone.
run_sql "do 'begin while (select count(*) from pg_stat_activity where backend_type = ''client backend'') > 1 loop
	perform pg_sleep(0.02); perform pg_stat_clear_snapshot(); end loop; end'" >/dev/null
after=$(commits)
dtrace_stop
result() {
	awk -F '|' -v key="$1" '$1 == key { print $2 }' "$work/out"
}
has "$work/pgbench" 'processed: 200/200' "pgbench makes 200 transactions"
is "$(result 'UPDATE pgbench_account')" 200 "queries by their text, in 4 processes that begin later"
is "$(result 'INSERT INTO pgbench_hi')" 200 "queries of another kind"
is "$(result done)" "$(result starts)" "every query that starts ends"
between "$(result slow)" 0 60 "in less than a minute"
# The server's count lacks the queries for this count, and the work of a process before it knows its database.
between "$(result commit)" $((after - before)) $((after - before + 12)) "transactions, as the server counts them"
positive "$(awk -F '|' '/^lock [A-Z]/ { n += $2 } END { print n + 0 }' "$work/out")" "locks have names"

tool_start QUERY pgqueries
as_postgres "$bin/pgbench" -h "$data" -c 2 -t 5 -n postgres >"$work/pgbench" 2>&1
tool_stop
is "$(awk '$3 == "UPDATE" && $4 == "pgbench_accounts" { n++; pid[$1] } END { print n, length(pid) }' "$work/out")" "10 2" \
	"pgqueries: a query of each transaction, in two processes"

# ---- programs with PostgreSQL's probes, built like its Makefiles do with --enable-dtrace

mkdir "$work/build"
cd "$work/build" || exit 1
cat >probes.d <<'END'
#define LocalTransactionId unsigned int
#define BlockNumber unsigned int
#define Oid unsigned int
#define ForkNumber int
#define bool unsigned char
provider postgresql {
	probe transaction__start(LocalTransactionId);
	probe query__start(const char *);
	probe query__done(const char *);
	probe sort__start(int, bool, int, int, bool, int);
	probe buffer__read__start(ForkNumber, BlockNumber, Oid, Oid, Oid, int, bool);
	probe deadlock__found();
};
END
"$dtrace" -C -h -s probes.d -o probes.h.tmp && sed -e 's/POSTGRESQL_/TRACE_POSTGRESQL_/g' probes.h.tmp >probes.h
cat >main.c <<'END'
#include <stdbool.h>
#include "probes.h"
void work(unsigned int xid, const char *text);
int main(void)
{
	for (unsigned int i = 0; i < 100; i++)
		work(i, i & 1 ? "SELECT 1" : "SELECT 2");
	TRACE_POSTGRESQL_DEADLOCK_FOUND();
	return 0;
}
END
cat >work.c <<'END'
#include <stdbool.h>
#include "probes.h"
void work(unsigned int xid, const char *text)
{
	bool random = xid & 1;

	TRACE_POSTGRESQL_TRANSACTION_START(xid);
	TRACE_POSTGRESQL_QUERY_START(text);
	if (TRACE_POSTGRESQL_SORT_START_ENABLED())
		TRACE_POSTGRESQL_SORT_START(1, random, 3, -4, !random, 6);
	TRACE_POSTGRESQL_BUFFER_READ_START(1, xid, 2, 3, 4, -1, false);
	TRACE_POSTGRESQL_QUERY_DONE(text);
}
END
gcc -O2 -Wall -Werror -c main.c && gcc -O2 -Wall -Werror -c work.c
ok "-G makes its object" "$dtrace" -C -G -s probes.d -o probes.o main.o work.o
ok "which is linked" gcc -o pg main.o work.o probes.o
dtrace_run -qn 'postgresql$target:::query-start { @q[copyinstr(arg0)] = count(); }
	postgresql$target:::transaction-start { @x = sum(arg0); }
	postgresql$target:::sort-start { @s[arg0, arg1, arg2, (int)arg3, arg4, arg5] = count(); }
	postgresql$target:::buffer-read-start { @b = sum((int)arg5); }
	postgresql$target:::deadlock-found { @d = count(); }
	END { printa("query %s %@d\n", @q); printa("xids %@d\n", @x); printa("sort %d %d %d %d %d %d %@d\n", @s);
		printa("backends %@d\n", @b); printa("deadlocks %@d\n", @d); }' -c ./pg
is "$(value query SELECT 1) $(value query SELECT 2) $(value xids) $(value backends) $(value deadlocks)" \
	"50 50 4950 -100 1" "and traced"
is "$(value sort 1 1 3 -4 0 6) $(value sort 1 0 3 -4 1 6)" "50 50" "six arguments, behind a question whether it is enabled"

# ---- arguments that an optimizing compiler leaves in memory, and thread variables

cat >kept.d <<'END'
provider kept { probe pointed(void *p, int *q); probe threads(int, int, long); };
END
cat >kept.c <<'END'
#include "kept.h"
struct s { long state; } g;
__thread int first = 7, values[4];
__thread long last = -9;
__attribute__((noinline)) void use(struct s *p, int n)
{
	int q = 40 + n;

	p->state = 5;
	KEPT_POINTED(p, &q);
	p->state = 6;
	if (KEPT_POINTED_ENABLED())
		p->state = 7;
	KEPT_POINTED(p, &q);
	p->state = 8;
	values[n & 3] = n;
	KEPT_THREADS(first, values[n & 3], last);
}
int main(void)
{
	for (int i = 0; i < 3; i++)
		use(&g, i);
	return 0;
}
END
"$dtrace" -h -s kept.d -o kept.h
for flags in -O1 -O2 '-O3 -static' '-O2 -flto'; do
	gcc $flags -Wall -Werror -c kept.c -o kept.o && "$dtrace" -G -s kept.d -o kept-probes.o kept.o &&
		gcc $flags kept.o kept-probes.o -o kept
	dtrace_run -qn 'kept$target:::pointed { printf("%d %d, ", *(long *)copyin(arg0, 8), *(int *)copyin(arg1, 4)); }
		kept$target:::threads { printf("%d %d %d\n", args[0], args[1], args[2]); }' -c ./kept
	is "$(cat "$work/out")" "5 40, 7 40, 7 0 -9
5 41, 7 41, 7 1 -9
5 42, 7 42, 7 2 -9" "what pointers lead to, and variables of threads, of a program made with $flags"
done

# ---- Python

cat >"$work/collect.py" <<'END'
import gc
for i in range(30):
    gc.collect(i % 3)
gc.disable()
print("collected", *[s["collections"] for s in gc.get_stats()])
END
dtrace_run -qn 'python$target:::gc-start { @[arg0] = count(); @start = count(); }
	python$target:::gc-done { @done = count(); }
	END { printa("generation %d %@d\n", @); printa("start %@d\n", @start); printa("done %@d\n", @done); }' \
	-c "/usr/bin/python3 $work/collect.py"
read -r _ young middle old < <(grep '^collected' "$work/out")
between "$young" 10 1000 "Python collects garbage"
is "$(value generation 0)" "$young" "collections of generation 0"
is "$(value generation 1)" "$middle" "collections of generation 1"
# At its end Python collects the oldest generation a few times more.
between "$(value generation 2)" "$old" $((old + 5)) "collections of generation 2"
is "$(value done)" "$(value start)" "which all end"
"$top/scripts/pygc" /usr/bin/python3 "$work/collect.py" >"$work/out" 2>"$work/err"
read -r _ young middle old < <(grep '^collected' "$work/out")
is "$(awk '$2 == 0 && NF == 4' "$work/out" | grep -c .) $(awk '$2 == 1 && NF == 4' "$work/out" | grep -c .)" "$young $middle" \
	"pygc: collections by generation"
cat >"$work/collect.js" <<'END'
let kept = [];
for (let i = 0; i < 300000; i++) {
	kept.push({ i, text: 'x' + i });
	if (kept.length > 50000)
		kept = [];
}
for (let i = 0; i < 3; i++)
	gc();
END
"$top/scripts/nodegc" "$(readlink -f "$(type -P node)")" --expose-gc --trace-gc "$work/collect.js" >"$work/out" 2>"$work/err"
positive "$(grep -c Scavenge "$work/out")" "Node.js collects new objects"
is "$(grep -c ' young$' "$work/out") $(grep -c ' full$' "$work/out")" "$(grep -c Scavenge "$work/out") $(grep -c 'Mark-' "$work/out")" \
	"nodegc: collections by kind, as it says itself"
echo 'import colorsys' >"$work/import.py"
dtrace_run -qn 'python$target:::import-find-load-start { @[copyinstr(arg0)] = count(); }
	END { printa("import %s %@d\n", @); }' -c "/usr/bin/python3 -S $work/import.py"
is "$(value import colorsys)" 1 "modules that Python imports, by name"

# ---- Ruby, also by the names of its probes before version 2; PHP.  Not every release of Debian builds them with probes.

# has_probe PROBE COMMAND TEXT: returns success if the command's program has such a probe; otherwise skips TEXT.
has_probe() {
	"$dtrace" -ln "$1" -c "$2" 2>/dev/null | grep -q "${1##*:}" && return
	skip "$3" "no probes in this $(readlink -f "$(type -P "${2%% *}")")"
	return 1
}

cat >"$work/calls.rb" <<'END'
TracePoint.new(:call) {}.enable
class Adder; def add(x) = x + 1; end
a = Adder.new
300.times { a.add(1) }
200.times { "abc".upcase }
END
if has_probe 'ruby$target:::method-entry' "ruby --disable-gems $work/calls.rb" "Ruby's calls"; then
	dtrace_run -Zqn 'ruby$target:::method-entry, ruby$target:::function-entry {
			@[probename, copyinstr(arg0), copyinstr(arg1), basename(copyinstr(arg2))] = count(); }
		ruby$target:::cmethod-entry { @c[copyinstr(arg1)] = count(); }
		ruby$target:::object-create-start { @o[copyinstr(arg0)] = count(); }
		END { printa("%s %s %s %s %@d\n", @); printa("c %s %@d\n", @c); printa("object %s %@d\n", @o); }' \
		-c "ruby --disable-gems $work/calls.rb"
	is "$(value method-entry Adder add calls.rb)" 300 "methods that Ruby calls"
	is "$(value function-entry Adder add calls.rb)" 300 "by the older name"
	is "$(value c upcase)" 200 "its methods in C"
	is "$(value object Adder)" 1 "objects that it makes"
fi
cat >"$work/calls.php" <<'END'
<?php
function add($x) { return $x + 1; }
for ($i = 0; $i < 300; $i++) add($i);
END
export USE_ZEND_DTRACE=1
if has_probe 'php$target:::function-entry' "php $work/calls.php" "PHP's calls"; then
	dtrace_run -qn 'php$target:::function-entry { @[copyinstr(arg0), basename(copyinstr(arg1))] = count(); }
		php$target:::request-startup { @r[basename(copyinstr(arg0))] = count(); }
		END { printa("%s %s %@d\n", @); printa("request %s %@d\n", @r); }' -c "php $work/calls.php"
	is "$(value add calls.php)" 300 "functions that PHP calls"
	is "$(value request calls.php)" 1 "scripts that it runs"
fi

# ---- Java

# The virtual machine is a library that is loaded later.
cat >"$work/Hello.java" <<'END'
public class Hello {
	public static void main(String[] args) {
		System.gc();
	}
}
END
dtrace_run -Zqn 'hotspot$target:::class-loaded { this->name = (char *)copyin(arg0, arg1 + 1); this->name[arg1] = 0;
		@[stringof(this->name)] = count(); @loaded = count(); }
	hotspot$target:::gc-begin { @gc = sum(arg0); }
	END { printa("class %s %@d\n", @); printa("loaded %@d\n", @loaded); printa("full %@d\n", @gc); }' \
	-c "java -Xshare:off -XX:+UseSerialGC -Xlog:class+load:file=$work/first.log $work/Hello.java"
# It loads its first classes while the probes are attached; the program's own come much later.
between "$(value loaded)" 1 "$(grep -c 'source:' "$work/first.log")" "classes of a virtual machine that starts"
is "$(value class Hello) $(value full)" "1 1" "the class of the program, and the collection that it asks for"

# It waits for a line, then loads the class named there.
cat >"$work/Load.java" <<'END'
public class Load {
	public static void main(String[] args) throws Exception {
		java.io.BufferedReader in = new java.io.BufferedReader(new java.io.InputStreamReader(System.in));
		System.out.println("ready");
		for (String line; (line = in.readLine()) != null; ) {
			Class.forName(line);
			System.gc();
			System.out.println("loaded " + line);
		}
	}
}
END
cd "$work" || exit 1
mkfifo "$work/lines"
java -Xshare:off -XX:+UseSerialGC "-Xlog:class+load:file=$work/classes.log" Load.java <"$work/lines" >"$work/java" &
java=$!
own_pids+=($java)
exec 7>"$work/lines"
wait_for 60 grep -q ready "$work/java"
sleep 1 # work of the virtual machine after its start
dtrace_start -qn 'hotspot'$java':::class-loaded { this->name = (char *)copyin(arg0, arg1 + 1); this->name[arg1] = 0;
		@loaded = count(); @[stringof(this->name)] = count(); }
	hotspot'$java':::gc-begin { @gc = sum(arg0); }
	hotspot'$java':::gc-end { @end = count(); }
	END { printa("loaded %@d\n", @loaded); printa("class %s %@d\n", @); printa("full %@d\n", @gc);
		printa("end %@d\n", @end); }'
before=$(grep -c 'source:' "$work/classes.log")
printf '%s\n' javax.crypto.Cipher java.util.concurrent.Phaser java.util.zip.Deflater >&7
wait_for 60 grep -q Deflater "$work/java"
dtrace_stop
loaded=$(($(grep -c 'source:' "$work/classes.log") - before))
between "$loaded" 3 1000 "Java loads more classes"
is "$(value loaded)" "$loaded" "classes of a running program, as the virtual machine tells them"
is "$(value class java/util/concurrent/Phaser)" 1 "which have names"
is "$(value full) $(value end)" "3 3" "full collections"
exec 7>&-

done_testing
