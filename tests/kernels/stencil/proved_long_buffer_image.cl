// Each work-item writes its own texel far into an image of a buffer.
// launch: grid=1 block=64
kernel void k(write_only image1d_buffer_t image) {
  write_imagei(image, (1 << 20) + get_global_id(0), (int4)(get_global_id(0)));
}
