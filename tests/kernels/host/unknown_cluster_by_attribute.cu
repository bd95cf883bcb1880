// An attribute of the launch says how large clusters are, and is not read: which blocks share a rank is not known.
// launch: as-launched
__global__ void k(int *out) {
  unsigned rank;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  out[rank * 64 + threadIdx.x % 64] = blockIdx.x; // ~ HD0002
}
void run(int *out) {
  cudaLaunchConfig_t config = {};
  config.gridDim = 4;
  config.blockDim = 64;
  cudaLaunchAttribute attributes[1];
  attributes[0].id = cudaLaunchAttributeClusterDimension;
  attributes[0].val.clusterDim.x = 4;
  attributes[0].val.clusterDim.y = 1;
  attributes[0].val.clusterDim.z = 1;
  config.attrs = attributes;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, k, out);
}
