enum bpf_map_type x;
BEGIN / x == BPF_MAP_TYPE_HASH / { trace(vmlinux`BPF_MAP_TYPE_ARRAY); }
BEGIN / BPF_MAP_TYPE_ARRAY != x && BPF_MAP_TYPE_HASH > (enum bpf_map_type)0 / { trace(1); }
