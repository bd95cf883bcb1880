// A neighbour's shared memory is read with a barrier of the own block alone; the cluster's size is the launch's.
// launch: grid=2 block=32
__global__ void k(int *out) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = blockIdx.x; // ~ HD0002
  __syncthreads();
  unsigned own = (unsigned)__cvta_generic_to_shared(&s[t]), there;
  int v;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(own), "r"(blockIdx.x ^ 1));
  asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(v) : "r"(there) : "memory");
  out[blockIdx.x * 32 + t] = v;
}
