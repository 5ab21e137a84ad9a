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
done_testing
