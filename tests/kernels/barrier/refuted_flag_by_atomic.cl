// The same flag, read where others may still raise it.
// launch: grid=1 block=64
kernel void rounds(global const int *in) {
  local int go;
  for (int round = 0; round < 10; round++) {
    if (get_local_id(0) == 0) go = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (in[get_global_id(0)] > round) atomic_or(&go, 1); // ~ HD0101
    if (!go) break;
    barrier(CLK_LOCAL_MEM_FENCE);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
