// A question to a buffer and to its copy, of another source: both lead to the same memory.
// launch: as-launched
struct Buffer {
  float *data;
  bool ready() const;
};

__global__ void k(const float *in, float *out, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x; // ~ HD0002
  if (i < n)
    out[i] += in[n - 1 - i];
}

void go(Buffer in, unsigned n) {
  Buffer out = in;
  if (in.ready() && out.ready())
    k<<<(n + 255) / 256, 256>>>(in.data, out.data, n);
}
