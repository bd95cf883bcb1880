// Constant members of another source are asked about two buffers, which they leave as they are.
// launch: as-launched
struct Buffer {
  float *data;
  bool ready() const;
};

__global__ void k(const float *in, float *out, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] += in[n - 1 - i];
}

void go(Buffer in, Buffer out, unsigned n) {
  if (in.ready() && out.ready())
    k<<<(n + 255) / 256, 256>>>(in.data, out.data, n);
}
