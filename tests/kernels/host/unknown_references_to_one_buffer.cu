// Two references are to one buffer, whose memory a function of another file gives.
// launch: as-launched
struct Buffer {
  float *data();
  int blocks;
};

__global__ void neighbours(const float *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x; // ~ HD0002
  out[i] = in[i + 1];
}

void shift(Buffer &from, Buffer &to) { neighbours<<<to.blocks, 64>>>(from.data(), to.data()); }

void shift_in_place(Buffer &buffer) { shift(buffer, buffer); }
