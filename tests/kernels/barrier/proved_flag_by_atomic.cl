// A flag of the group that atomics raise, read by all of it between two barriers: an atomic in between would race with the read.
// launch: grid=any block=any
kernel void rounds(global const int *in) {
  local int go;
  for (int round = 0; round < 10; round++) {
    if (get_local_id(0) == 0) go = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (in[get_global_id(0)] > round) atomic_or(&go, 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (!go) break;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
