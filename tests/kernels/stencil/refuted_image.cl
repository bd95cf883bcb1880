// Two work-items write one pixel of an image.
// launch: grid=2,2 block=16,16
__kernel void k(write_only image2d_t to) {
  int2 at = (int2)(get_global_id(0) / 2, get_global_id(1));
  write_imageui(to, at, (uint4)(get_global_id(0), 0, 0, 0));  // ~ HD0101
}
