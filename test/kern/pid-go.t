#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# pid-go.t: functions of Go programs count once although stacks grow, and have names without symbols.
#
# guests: none
# rows: goid
# needs: go
. "${0%/*}/lib.sh"

cd "$work" || exit
export HOME=$work GOCACHE=$work/cache GOPATH=$work/path
cat >program.go <<'END'
package main

import (
	"sync"
	"time"
)

var done sync.WaitGroup

type T struct{ n int }

//go:noinline
func (t *T) method(s string) int { return t.n + len(s) }

//go:noinline
func deep(n int) int {
	var pad [200]byte
	pad[n%200] = byte(n)
	if n == 0 {
		return int(pad[7])
	}
	return deep(n-1) + int(pad[n%200])&1
}

//go:noinline
func huge(n int) byte {
	var pad [100000]byte
	pad[n] = 1
	return pad[n/2] + small(n)
}

//go:noinline
func small(n int) byte { return byte(n * 3) }

//go:noinline
func waits(n int) int {
	time.Sleep(time.Duration(1+n%3) * time.Millisecond)
	return n
}

func main() {
	for i := 0; i < 50; i++ {
		done.Add(1)
		go func(i int) { waits(i); done.Done() }(i)
	}
	done.Wait()
	c := make(chan int)
	for i := 0; i < 10; i++ {
		go func(i int) { c <- deep(100) + int(huge(i)) }(i)
	}
	for i := 0; i < 10; i++ {
		<-c
	}
	t := T{5}
	t.method("hello")
	middle(7)
}

//go:noinline
func marked(n int) int { return n * 3 }

func inner(n int) int { return marked(n+1) + 1 }

func outer(n int) int { return inner(n*2) + 2 }

//go:noinline
func middle(n int) int { return outer(n) }
END
for mode in exe pie; do
	go build -buildmode=$mode -o plain program.go 2>errors || { note_file errors errors; bail_out "go build"; }
	strip -o stripped plain
	for program in plain stripped; do
		dtrace_run -qn 'pid$target:a.out:main.deep:entry, pid$target:a.out:main.huge:entry, pid$target:a.out:main.small:,
			pid$target:a.out:main.??T?.method:entry /probename == "entry" || probename == "return"/
			{ @[probefunc, probename] = count(); }
			pid$target:a.out:main.small:entry { @calls[ufunc(ucaller)] = count(); }
			END { printa("%s %s %@d\n", @); printa("%A %@d\n", @calls); }' -c ./$program
		is "$(grep . out | sort | paste -sd ,)" \
			"main.(*T).method entry 1,main.deep entry 1010,main.huge entry 10,main.small entry 10,main.small return 10,$program\`main.huge 10" \
			"$mode, $program: each call once, by name"
	done
	# Each goroutine returns, in any thread.
	dtrace_run -qn 'pid$target:a.out:main.waits:entry { from[goid()] = timestamp; }
		pid$target:a.out:main.waits:return /from[goid()]/ {
			@pairs["pairs", timestamp - from[goid()] > 1000000] = count();
			from[goid()] = 0; }' -c ./plain
	has out '^ *pairs +1 +50$' "$mode: entry and return by goroutine"
	dtrace_run -qn 'pid$target:a.out:main.waits:entry { @ids[goid()] = count(); }
		syscall:::entry /pid == $target && goid() > 100000/ { @wrong = count(); }' -c ./stripped
	is "$(awk 'NF == 2 { n++; sum += $2 } END { print n, sum }' out)" "50 50" "$mode: each has its number"
	# The table has the same names as the symbols.
	dtrace_run -ln 'pid$target:a.out:main.*:entry' -c ./stripped
	has out ' main\.deep +entry$' "$mode: listed without symbols"
	is "$(awk '{ print $4 }' out | grep -c '^main\.')" "$(nm plain | grep -ci ' t main\.')" "$mode: all functions"
done

done_testing
