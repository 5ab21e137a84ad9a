enum bpf_map_type x;
BEGIN / x == BPF_MAP_TYPE_HASH / { trace(vmlinux`BPF_MAP_TYPE_ARRAY); }
