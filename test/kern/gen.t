#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# gen.t: random programs (test/gen) are accepted by the kernel and print there what the evaluator of
# their checked tree says.  GEN_COUNT of them from seed GEN_SEED.
. "${0%/*}/lib.sh"

gen=$top/build/test/gen_run
if type -P make gcc >/dev/null; then
	make -s -C "$top" build/test/gen_run >"$work/make" 2>&1 || cat "$work/make"
fi
[ -x "$gen" ] || skip_all "the generator is not built"

count=${GEN_COUNT:-300}
[ -n "${GUEST:-}" ] && count=${GEN_COUNT:-30} # an emulated kernel takes seconds for each
"$gen" --kernel "${GEN_SEED:-100000}" "$count" >"$work/gen"
grep -q "^$count passed, 0 failed" "$work/gen" || sed 's/^/# /' "$work/gen"
is "$(tail -n 1 "$work/gen")" "$count passed, 0 failed" "$count random programs"

done_testing
