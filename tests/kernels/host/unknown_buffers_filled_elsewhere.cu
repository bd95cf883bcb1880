// Members of another source that are not constant may give two buffers the same memory.
// launch: as-launched
struct Buffer {
  float *data;
  bool prepare();
};

__global__ void k(const float *in, float *out, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x; // ~ HD0002
  if (i < n)
    out[i] += in[n - 1 - i];
}

void go(Buffer in, Buffer out, unsigned n) {
  if (in.prepare() && out.prepare())
    k<<<(n + 255) / 256, 256>>>(in.data, out.data, n);
}
