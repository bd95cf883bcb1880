// A thread arrives at a barrier object of another block before that has initialised it: these are not compared.
// launch: grid=any block=64 cluster=2 passes=races
__global__ void k(int *out) {
  __shared__ unsigned long long object;
  unsigned own = (unsigned)__cvta_generic_to_shared(&object), there;
  if (threadIdx.x == 0)
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 2;" ::"r"(own) : "memory"); // ~ HD0002
  __syncthreads();
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(own), "r"(blockIdx.x & 1 ^ 1));
  if (threadIdx.x == 0)
    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(there) : "memory");
  out[blockIdx.x * 64 + threadIdx.x] = 1; // ~ HD0002
}
