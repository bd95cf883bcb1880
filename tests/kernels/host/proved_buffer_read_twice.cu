// One buffer of another file is given twice, and only read.
// launch: as-launched
struct Buffer {
  float *data();
  int blocks;
};

__global__ void sum(const float *one, const float *other, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = one[i] + other[i + 1];
}

void twice(Buffer &in, Buffer &out) { sum<<<out.blocks, 64>>>(in.data(), in.data(), out.data()); }
