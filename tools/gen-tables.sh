#!/bin/sh
# gen-tables.sh builtin FILE... | provider FILE...: prints C tables of the leaves.  Names come from the files:
# builtin/NAME.c defines builtin_NAME, prov/NAME.c defines provider_NAME.  A file with a header of its own is shared
# code, not a leaf.
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
