// Each work-item writes its own pixel of an image, made of pixels of another image.
// launch: grid=2,2 block=16,16
__constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_FILTER_NEAREST;
__kernel void k(read_only image2d_t from, write_only image2d_t to) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  float4 sum = read_imagef(from, nearest, at) + read_imagef(from, nearest, at + (int2)(1, 0));
  write_imagef(to, at, sum / 2.0f);
}
