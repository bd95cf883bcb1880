// The barrier orders both memories, or global memory alone, as the host says.
// launch: grid=1 block=64
kernel void k(global int *a, int both) {
  int x = get_local_id(0);
  if (x == 0)
    a[0] = 1;
  barrier(both ? CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE : CLK_GLOBAL_MEM_FENCE);
  if (x == 5)
    a[1] = a[0];
}
