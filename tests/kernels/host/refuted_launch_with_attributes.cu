// The block of a launch with attributes is larger than the kernel takes it for.
// launch: as-launched
__global__ void k(int *p, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n)
    p[i] = threadIdx.x; // ~ HD0102
}
void run(int *p, int n, int blocks, cudaStream_t stream) {
  cudaLaunchConfig_t config = {};
  config.gridDim = blocks;
  config.blockDim = 512;
  config.stream = stream;
  cudaLaunchAttribute attributes[1];
  attributes[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attributes[0].val.programmaticStreamSerializationAllowed = 1;
  config.attrs = attributes;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, k, p, n);
}
