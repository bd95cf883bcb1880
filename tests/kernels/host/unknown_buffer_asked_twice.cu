// A member function of another file gives the memory of one buffer, twice.
// launch: as-launched
struct Buffer {
  float *data();
  int blocks;
};

__global__ void neighbours(const float *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x; // ~ HD0002
  out[i] = in[i + 1];
}

void shift(Buffer &buffer) { neighbours<<<buffer.blocks, 64>>>(buffer.data(), buffer.data()); }
