// The last vector of a row reaches into the next one: the width is rounded up to vectors.
// launch: grid=any,any block=any,any
kernel void rows(global const float *in, global float *out, int width, int height) {
  int i = get_global_id(0), j = get_global_id(1);
  if (j >= height) return;
  if (i < (width + 3) / 4) vstore4(vload4(0, &in[j * width + i * 4]), 0, &out[j * width + i * 4]); // ~ HD0101
}
