// The transposed tile is written with the block offsets in the wrong order, on top of other tiles.
// launch: grid=2,4 block=16,16
__kernel void k(__global const float *in, __global float *out) {
  __local float tile[16][17];
  int x = get_local_id(0), y = get_local_id(1);
  int bx = get_group_id(0) * 16, by = get_group_id(1) * 16;
  tile[y][x] = in[(by + y) * 32 + bx + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[(bx + y) * 32 + by + x] = tile[x][y];   // ~ HD0102
}
