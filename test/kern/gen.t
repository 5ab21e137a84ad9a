#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# gen.t: the kernel accepts random programs (test/gen), and they print what the evaluator of their checked tree
# prints.  There are GEN_COUNT programs, from seed GEN_SEED.
#
# guests: 6.1
. "${0%/*}/lib.sh"

gen=$top/build/test/gen_run
build() {
	make -s -C "$top" build/test/gen_run >"$work/make" 2>&1
}

# A guest gets the program built on this machine.
if type -P make gcc >/dev/null; then
	ok "the generator is built" build || note_file make "$work/make"
fi

count=${GEN_COUNT:-300}
[ -z "${GUEST:-}" ] || count=${GEN_COUNT:-60} # 100 take an emulated processor a quarter of a minute
"$gen" --kernel "${GEN_SEED:-100000}" "$count" >"$work/gen"
grep -q "^$count passed, 0 failed" "$work/gen" || sed 's/^/# /' "$work/gen"
large=$(grep -c '^seed [0-9]*: too large' "$work/gen")
is "$(tail -n 1 "$work/gen" | grep -o '^[0-9]* passed, [0-9]* failed')" "$((count - large)) passed, 0 failed" "$count random programs"
between "$large" 0 $((1 + count / 300)) "programs beyond the limit of this kernel's verifier"

done_testing
