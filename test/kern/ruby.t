#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# ruby.t: frames of Ruby between native frames, compared with the stacks that the program prints.
#
# guests: none
# needs: ruby
. "${0%/*}/lib.sh"

[ "$(uname -m)" = x86_64 ] || skip_all "another processor"
version=$(ruby -e 'print RUBY_VERSION')
case $version in
3.1.* | 3.3.*) ;;
*) skip_all "Ruby $version, whose frames are not known" ;;
esac

# Prints its stack, and makes the traced call on the same line.  It then waits until dtrace has printed the call, and so has
# read its names.
cat >"$work/program.rb" <<'END'
$stdout.sync = true; $printed = $waits = 0
def show
  puts "where " + caller_locations(0).map { |l| "#{l.path}:#{l.label}:#{l.lineno}" }.join("|"); Process.ppid; printed
end
def printed
  sleep 0.005 until File.size?(ENV["PRINTED"]).to_i > $printed || ($waits += 1) > 1000
  $printed = File.size?(ENV["PRINTED"]).to_i
end
def recurse(n)
  return recurse(n - 1) if n > 0
  show
end
class Base
  def self.make
    yield 1,
      2
  end
  define_method(:defined) { |x| show; x }
  def method_missing(name, *args) = show
  def respond_to_missing?(*) = true
  def to_s
    show
    "text"
  end
  def <=>(other)
    show
    0
  end
end
class Derived < Base
  show
  def go = [1].map { |x| { x => 2 }.each_pair { |k, v| show } }
  alias went go
  class << self
    def single
      show
    end
  end
end
recurse(20)
d = Derived.new
d.go
d.went
d.nosuch(7)
d.defined(3)
Derived.single
"#{d}"
[d, Base.new].sort
Base.make { |a, b| [3, 1].sort_by { |x| show; x } }
2.times { |i| show }
begin
  raise "x"
rescue
  show
ensure
  show
end
eval("show")
require_relative "required"
f = Fiber.new { show; Fiber.yield 1; [1].each { show } }
f.resume
f.resume
Thread.new { 1.upto(2) { show } }.join
e = Enumerator.new { |y| show; y << 1; show; y << 2 }
e.next
e.next
->(x) { proc { show }.call }.(1)
o = Object.new
o.instance_eval { show }
Class.new { def m = show }.new.m
:show.to_proc.call(self) rescue send(:show)
catch(:done) { show; throw :done }
GC.compact if GC.respond_to?(:compact)
GC.start
recurse(3)
# A function in the place of another one.
5.times do |i|
  eval("def made#{i}() = show; made#{i}; undef made#{i}")
  GC.start
end
long = "def long(x)\n" + "  x += 1\n" * 400 + "  show\n" + "  x += 1\n" * 200 + "  show\nend"
eval(long, binding, "long.rb", 1)
long(1)
at_exit { show }
sleep 0.3
END
printf 'module Required\n  def self.m\n    show\n  end\n  m\nend\n' >"$work/required.rb"

# shown FILE: prints the frames of Ruby of each stack on a line, without the traced call.  Functions in C have the place of
# their caller, as in Ruby's own list.
shown() {
	language_stacks "$1" | sed 's/^\[internal\]:ppid|//' | awk -F '|' '{
		place = out = ""
		for (i = NF; i > 0; i--) {
			if ($i !~ /^\[internal\]:/) {
				place = $i
			} else {
				path = line = place
				sub(/:[^:]*:[0-9]*$/, "", path)
				sub(/.*:/, "", line)
				if (place == "")
					line = 0
				sub(/^\[internal\]/, path, $i)
				$i = $i ":" line
			}
			out = $i (out == "" ? "" : "|") out
		}
		print out
	}'
}

kinds='plain'
export PRINTED=$work/stacks
[ "$(ruby --yjit -e 'print RubyVM::YJIT.enabled?' 2>/dev/null)" != true ] || kinds+=' --yjit --yjit-call-threshold=1'
for options in $kinds; do
	[ "$options" != --yjit-call-threshold=1 ] || options='--yjit --yjit-call-threshold=1'
	dtrace_run -x jstackframes=300 -qn 'syscall::getppid:entry /progenyof($target)/ { jstack(); }' \
		-o "$work/stacks" -c "ruby ${options#plain} $work/program.rb"
	grep -a '^where ' "$work/out" | cut -d ' ' -f 2- >"$work/want"
	shown "$work/stacks" >"$work/got"
	between "$(wc -l <"$work/want")" 30 60 "$options: the program makes its calls"
	is "$(cat "$work/got")" "$(cat "$work/want")" "$options: names, lines and order"
	ok "$options: no message" test ! -s "$work/err" || note_file errors "$work/err"
	rm "$work/stacks"
done

# As keys of an aggregation, when the process has ended; and in a profile.
dtrace_run -x jstackframes=300 -qn 'syscall::getppid:entry /progenyof($target)/ { @[jstack()] = count(); printf("called\n"); }' \
	-o "$work/stacks" -c "ruby $work/program.rb"
is "$(shown "$work/stacks" | sort -u)" "$(grep -a '^where ' "$work/out" | cut -d ' ' -f 2- | sort -u)" "as keys"

# dtrace stands still until functions are gone.  It must not show the functions that have taken their place.
cat >"$work/gone.rb" <<'END'
until File.exist?(ARGV[0] + "/go")
  Process.ppid
  sleep 0.01
end
300.times do |i|
  eval("def made#{i}() = Process.ppid\nmade#{i}\nundef made#{i}")
  GC.start if i % 10 == 0
end
File.write(ARGV[0] + "/all", "")
sleep 0.01 until File.exist?(ARGV[0] + "/end")
END
ruby "$work/gone.rb" "$work" &
program=$!
own_pids+=("$program")
dtrace_start -b 16m -qn "syscall::getppid:entry /pid == $program/ { langstack(3); }"
wait_for 30 grep -q '^ *\[internal\]:ppid' "$work/out"
kill -STOP "$dtrace_pid"
touch "$work/go"
wait_for 30 test -e "$work/all"
kill -CONT "$dtrace_pid"
calls() {
	language_stacks "$work/out" | cut -d '|' -f 2 | grep -v "gone.rb:<main>:2$"
}
wait_for 30 eval '[ "$(calls | wc -l)" -ge 300 ]'
touch "$work/end"
dtrace_stop
is "$(calls | wc -l)" 300 "functions that are gone: each call"
is "$(calls | sed 's/^(eval.*):made[0-9]*:1$/its name/' | sort -u | grep -vx 'its name\|(name not read)')" "" "... with its name, or with none"

echo 'def busy(n) s = 0; while n > 0; n -= 1; s += n; end; s end; busy(20000000)' >"$work/busy.rb"
dtrace_run -qn 'profile-997 /pid == $target/ { @[jstack(50)] = count(); }' -c "ruby $work/busy.rb"
ok "a profile has the busy function" grep -q 'busy\.rb:busy:1' "$work/out"
done_testing
