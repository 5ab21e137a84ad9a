#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# perl.t: frames of Perl between native frames, compared with the stacks that the program prints.
#
# guests: none
# needs: perl
. "${0%/*}/lib.sh"

version=$(perl -MConfig -e 'print "5.$Config{PERL_VERSION}", $Config{usethreads} ? "" : " without threads"')
case $version in
5.36 | 5.40) ;;
*) skip_all "Perl $version, whose frames are not known" ;;
esac

# Prints its stack, and makes the traced call on the same line.  It then waits until its names have been read.
cat >"$work/program.pl" <<'END'
use strict;
use warnings;
use List::Util qw(first);
use threads;
sub here {
	my (@list, @callers);
	for (my $i = 0; my @c = caller($i); $i++) { push @callers, [@c]; }
	for my $i (0 .. $#callers) {
		my $name = $i == $#callers ? '(main)' : $callers[$i + 1][3];
		push @list, "$callers[$i][1]:$name:$callers[$i][2]";
	}
	return join '|', @list;
}
$| = 1;
sub show { print "where ", here(), "\n"; my $unused = getppid(); printed(); return 1; }
my ($before, $waits) = (0, 0);
sub printed { select undef, undef, undef, 0.005 while (-s $ENV{PRINTED} || 0) <= $before && $waits++ < 1000; $before = -s $ENV{PRINTED} || 0; }
sub recurse {
	my $n = shift;
	return $n ? recurse($n - 1) : show();
}
package Tied;
sub TIESCALAR { return bless {} }
sub FETCH { main::show(); return 5; }
package Over;
use overload '+' => sub { main::show(); return 1; }, '""' => \&text;
sub new { return bless {}, shift }
sub text { main::show(); return 'text'; }
sub AUTOLOAD {
	our $AUTOLOAD;
	return if $AUTOLOAD =~ /DESTROY/;
	main::show();
}
package Derived;
our @ISA = ('Over');
sub DESTROY { main::show(); }
package main;
recurse(20);
my $anonymous = sub {
	my $f = shift;
	$f->();
};
$anonymous->(sub { show() });
eval { recurse(1); };
eval 'show(); sub made { show() } made();';
eval {
	local $SIG{__DIE__} = sub { show() };
	die "x";
};
{
	local $SIG{__WARN__} = sub { show() };
	warn "x";
}
my @sorted = sort { show(); $a <=> $b } 2, 1;
sub by_number { show(); return $a <=> $b; }
@sorted = sort by_number 2, 1;
my $found = first { show() } 1, 2;
my @mapped = map { show() } 1;
tie my $tied, 'Tied';
my $x = $tied;
my $o = Derived->new;
$x = $o + 1;
$x = "$o";
$o->nosuch(1);
undef $o;
require "$ENV{WORK}/required.pl";
threads->create(sub { recurse(2); show(); select undef, undef, undef, 0.2; })->join;
for my $i (1 .. 2) {
	if ($i == 2) {
		while (1) {
			show();
			last;
		}
	}
}
select undef, undef, undef, 0.3;
END
printf 'sub required {\n\tshow();\n}\nrequired();\n1;\n' >"$work/required.pl"

export WORK=$work PRINTED=$work/stacks
dtrace_run -x jstackframes=200 -qn 'syscall::getppid:entry /progenyof($target)/ { jstack(); }' -o "$work/stacks" -c "perl $work/program.pl"
grep '^where ' "$work/out" | cut -d ' ' -f 2- >"$work/want"
language_stacks "$work/stacks" >"$work/got"
between "$(wc -l <"$work/want")" 20 40 "the program makes its calls"
is "$(cat "$work/got")" "$(cat "$work/want")" "names, lines and order"
ok "no message" test ! -s "$work/err" || note_file errors "$work/err"
rm "$work/stacks"

# As keys of an aggregation, when the process has ended; and in a profile.
dtrace_run -x jstackframes=200 -qn 'syscall::getppid:entry /progenyof($target)/ { @[jstack()] = count(); printf("called\n"); }' -o "$work/stacks" \
	-c "perl $work/program.pl"
is "$(language_stacks "$work/stacks" | sort -u | wc -l)" "$(grep '^where ' "$work/out" | sort -u | wc -l)" "as keys"
echo 'sub busy { my $s = 0; for my $i (1 .. shift) { $s += sqrt($i); } return $s; } busy(3000000);' >"$work/busy.pl"
dtrace_run -qn 'profile-997 /pid == $target/ { @[jstack(50)] = count(); }' -c "perl $work/busy.pl"
ok "a profile has the busy function" grep -q 'busy\.pl:main::busy:1' "$work/out"

# Evals, subroutines and packages that are freed after each call, so that the next ones have their addresses: each has
# its own name, or none.  The first calls wait until their names have been read.
{
	sed -n '/^my (\$before/p; /^sub printed/p' "$work/program.pl"
	cat <<'END'
srand 1;
open my $want, '>', $ENV{WANT};
my $unused = getppid();
printed();
for my $i (0 .. 2999) {
	my $is_first = $i < 12;
	my $kind = $is_first ? $i : int rand 12;
	my $k = $kind % 3;
	my $body = 'my $unused = getppid(); main::printed() if $is_first; 1';
	my $at = "\n# line 1 \"/dir/of/template$k\"\n";
	if ($kind < 3) {
		eval "$at$body";
		print $want "/dir/of/template$k:(eval):1\n";
	} elsif ($kind < 6) {
		eval("${at}sub { $body }")->();
		print $want "/dir/of/template$k:main::__ANON__:1\n";
	} elsif ($kind < 9) {
		eval "${at}sub again { $body }";
		again();
		print $want "/dir/of/template$k:main::again:1\n";
	} else {
		eval "package Package$k;\n# line 1 \"/dir/of/one\"\nsub its$k { $body }";
		"Package$k"->can("its$k")->();
		undef &{"Package${k}::its$k"};
		undef %{"Package${k}::"};
		delete $main::{"Package${k}::"};
		print $want "/dir/of/one:Package${k}::its$k:1\n";
	}
}
END
} >"$work/freed.pl"
rm -f "$work/stacks"
WANT=$work/want dtrace_run -b 32m -qn 'syscall::getppid:entry /pid == $target/ { printf("call\n"); langstack(1); }' -o "$work/stacks" \
	-c "perl $work/freed.pl"
sed 's/^call$//' "$work/stacks" >"$work/calls"
language_stacks "$work/calls" | sed 1d | paste "$work/want" - >"$work/both"
is "$(wc -l <"$work/both")" 3000 "code that is freed at once: each call"
is "$(awk -F '\t' '$1 != $2 && $2 != "(name not read)"' "$work/both" | sort | uniq -c)" "" "... with its name, or none"
between "$(awk -F '\t' '$1 == $2' "$work/both" | wc -l)" 12 3000 "... and some have their names"
done_testing
