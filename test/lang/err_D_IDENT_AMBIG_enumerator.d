enum bpf_map_type x;
int BPF_MAP_TYPE_HASH;
BEGIN / x == BPF_MAP_TYPE_HASH / { }
/* error: line 3: BPF_MAP_TYPE_HASH is an enumerator of enum bpf_map_type and also a global variable */
