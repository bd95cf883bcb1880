// The aligned form takes eight bytes for each three halves, the other six: in one array, they meet.
// launch: grid=any block=64
kernel void widen(global half *out, global const half *in) {
  size_t i = get_global_id(0);
  float3 v = vload_half3(i, in);
  if (i % 2)
    vstore_half3(v, i, out); // ~ HD0101
  else
    vstorea_half3(v, i, out);
}
