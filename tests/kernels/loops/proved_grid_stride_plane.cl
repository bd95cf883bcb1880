// Two grid-stride loops over the rows and columns of a plane, with counters of 32 bits.
// launch: grid=any block=any
kernel void add(global float *plane, int w, int h) {
  for (int y = get_global_id(1); y < h; y += get_global_size(1))
    for (int x = get_global_id(0); x < w; x += get_global_size(0))
      plane[y * w + x] += 1.0f;
}
