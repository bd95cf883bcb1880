// A launcher that other files may call is called in this one, too, with two buffers.
// launch: as-launched
__global__ void neighbours(const float *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i + 1];
}

void shift(const float *in, float *out, int blocks) { neighbours<<<blocks, 64>>>(in, out); }

void shift_over(float *from, float *to, int blocks) { shift(from, to, blocks); }
