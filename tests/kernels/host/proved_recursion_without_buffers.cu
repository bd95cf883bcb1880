// A function of the host that calls itself gives null twice, and launches nothing then.
// launch: as-launched
__global__ void neighbours(const float *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i + 1];
}

void steps(float *a, float *b, int blocks) {
  if (!a || !b)
    return;
  neighbours<<<blocks, 64>>>(a, b);
  steps(nullptr, nullptr, blocks / 2);
}
