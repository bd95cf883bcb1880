// An argument launches another kernel in a loop: the sizes of each launch are its own.
// launch: as-launched
__global__ void other(int *out) { out[blockIdx.x * 64 + threadIdx.x] = 0; }
__global__ void spread(int *out, int n) { out[threadIdx.x] = n; }

static int cleared(int *out, int times) {
  for (int i = 0; i < times; i++) other<<<2, 64>>>(out);
  return times;
}

void start(int *out, int times) { spread<<<1, 32>>>(out, cleared(out, times)); }
