// A launcher that other files may call is called in this one, too, with one buffer twice.
// launch: as-launched
__global__ void neighbours(const float *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i + 1]; // ~ HD0101
}

void shift(const float *in, float *out, int blocks) { neighbours<<<blocks, 64>>>(in, out); }

void shift_in_place(float *buffer, int blocks) { shift(buffer, buffer, blocks); }
