#!/bin/sh
# Print C tables of the leaves: gen-tables.sh builtin FILE... | provider FILE...  The names come from
# the files: builtin/NAME.c defines builtin_NAME, prov/NAME.c defines provider_NAME; a file with a
# header of its own is what they share.
set -eu
kind=$1
shift
names=$(for f; do [ -e "${f%.c}.h" ] || basename "$f" .c; done | sort)
case $kind in
builtin)
	printf '#include "lower/lower.h"\n'
	for n in $names; do printf 'extern const struct lang_row builtin_%s[];\n' "$n"; done
	printf 'const struct lang_row *const builtin_tables[] = {\n'
	for n in $names; do printf '\tbuiltin_%s,\n' "$n"; done
	printf '\t0,\n};\n'
	;;
provider)
	printf '#include "plan/probe.h"\n'
	for n in $names; do printf 'extern const struct provider provider_%s;\n' "$n"; done
	printf 'const struct provider *const provider_table[] = {\n'
	for n in $names; do printf '\t&provider_%s,\n' "$n"; done
	printf '};\nconst unsigned int provider_count = sizeof(provider_table) / sizeof(provider_table[0]);\n'
	;;
esac
