// Blocks read each other's shared memory by 32-bit addresses, in inline PTX.
// launch: grid=8 block=32 cluster=2 passes=races

__global__ void k(int *out) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = t;
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
  unsigned there;
  int v;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"((unsigned)__cvta_generic_to_shared(&s[31 - t])), "r"(blockIdx.x & 1 ^ 1));
  asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(v) : "r"(there) : "memory");
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
  out[blockIdx.x * 32 + t] = v;
}
