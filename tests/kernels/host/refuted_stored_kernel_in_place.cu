// The address of a kernel is stored, so that it may be launched anywhere; one launch in sight gives it one buffer twice.
// launch: as-launched
__global__ void neighbours(const float *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i + 1]; // ~ HD0101 HD0103
}

const void *kernels[1];

void run(float *buffer) {
  kernels[0] = (const void *)neighbours;
  neighbours<<<8, 64>>>(buffer, buffer);
}
