// Neighbours write one texel; the barrier in between orders global memory, which images are not.
// launch: grid=1 block=64
kernel void k(read_write image2d_t image) {
  int x = get_local_id(0);
  write_imageui(image, (int2)(x, 0), (uint4)(x));  // ~ HD0002
  work_group_barrier(CLK_GLOBAL_MEM_FENCE);
  write_imageui(image, (int2)(x ^ 1, 0), (uint4)(x + 100));
}
