// Halves in memory: vectors of three take six bytes, or eight in the aligned form; work items have their own.
// launch: grid=any block=64
kernel void widen(global half *packed, global half *aligned, global const half *in) {
  size_t i = get_global_id(0);
  float3 v = vload_half3(i, in);
  vstore_half3(v * get_work_dim(), i, packed);
  vstorea_half3_rte(bitselect(v, v + 1, v), i, aligned);
}
