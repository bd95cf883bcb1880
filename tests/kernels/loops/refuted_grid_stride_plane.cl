// The same loops, where the rows go on by the size of the other dimension.
// launch: grid=any block=8,8
kernel void add(global float *plane, int w, int h) {
  for (int y = get_global_id(1); y < h; y += get_global_size(0))
    for (int x = get_global_id(0); x < w; x += get_global_size(0))
      plane[y * w + x] += 1.0f; // ~ HD0102
}
