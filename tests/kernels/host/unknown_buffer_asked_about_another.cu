// A constant member that is given another buffer is no question about its own one alone.
// launch: as-launched
struct Buffer {
  float *data;
  bool follows(Buffer *other) const;
};

__global__ void k(const float *in, float *out, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x; // ~ HD0002
  if (i < n)
    out[i] += in[n - 1 - i];
}

void go(Buffer in, Buffer out, unsigned n) {
  if (in.follows(&out))
    k<<<(n + 255) / 256, 256>>>(in.data, out.data, n);
}
