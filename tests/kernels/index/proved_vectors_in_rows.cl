// Vectors of four at any column: rows of any width, each but its rest in vectors that begin where elements do.
// launch: grid=any,any block=any,any
kernel void rows(global const float *in, global float *out, int width, int height) {
  int i = get_global_id(0), j = get_global_id(1);
  if (j >= height || i >= (width + 3) / 4) return;
  if (i < width / 4) vstore4(vload4(0, &in[j * width + i * 4]), 0, &out[j * width + i * 4]);
  else
    for (int k = 0; k < width % 4; k++) out[j * width + i * 4 + k] = in[j * width + i * 4 + k];
}
