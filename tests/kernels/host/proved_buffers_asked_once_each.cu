// A member function of another file gives the memory of two buffers.
// launch: as-launched
struct Buffer {
  float *data();
  int blocks;
};

__global__ void neighbours(const float *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i + 1];
}

void shift(Buffer &from, Buffer &to) { neighbours<<<to.blocks, 64>>>(from.data(), to.data()); }
