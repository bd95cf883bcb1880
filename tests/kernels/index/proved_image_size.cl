// A row as long as the image is wide: the width is one number for the launch.
// launch: grid=any block=any
kernel void rows(read_only image2d_t in, global int *out) {
  int x = get_global_id(0), y = get_global_id(1), w = get_image_width(in);
  if (x < w) out[y * w + x] = x;
}
