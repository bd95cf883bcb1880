// The OpenCL transpose goes through a padded local tile and a barrier.
// launch: grid=16,16 block=16,16 n=256
__kernel void k(__global const float *in, __global float *out, int n) {
  __local float tile[16][17];
  int x = get_local_id(0), y = get_local_id(1);
  int bx = get_group_id(0) * 16, by = get_group_id(1) * 16;
  tile[y][x] = in[(by + y) * n + bx + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[(bx + y) * n + by + x] = tile[x][y];
}
