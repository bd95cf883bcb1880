// The writer's barrier orders local memory, the reader's global memory.
// launch: grid=1 block=64
kernel void k(global int *a) {
  int x = get_local_id(0);
  if (x == 0)
    a[0] = 1;  // ~ HD0101
  barrier(x == 0 ? CLK_LOCAL_MEM_FENCE : CLK_GLOBAL_MEM_FENCE);
  if (x == 5)
    a[1] = a[0];
}
