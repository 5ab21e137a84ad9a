enum bpf_map_type x;
int BPF_MAP_TYPE_HASH;
BEGIN / x == BPF_MAP_TYPE_HASH / { }
