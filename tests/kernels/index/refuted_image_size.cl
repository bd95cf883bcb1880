// The same row in one element: work-items of it meet, however wide the image is.
// launch: grid=any block=16,16
kernel void rows(read_only image2d_t in, global int *out) {
  int x = get_global_id(0), y = get_global_id(1), w = get_image_width(in);
  out[y] = x; // ~ HD0101
  out[y + get_global_size(1)] = w; // ~ HD0103
}
