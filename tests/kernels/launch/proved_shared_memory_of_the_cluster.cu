// Block 1 of the cluster writes shared memory of block 0, which writes beside that.
// launch: grid=2 block=64 cluster=2
__global__ void k(int *out) {
  __shared__ int s[64];
  unsigned own = (unsigned)__cvta_generic_to_shared(s), first;
  asm volatile("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(first) : "r"(own));
  if (blockIdx.x == 1 && threadIdx.x == 0)
    asm volatile("st.shared::cluster.u32 [%0], 1;" ::"r"(first) : "memory");
  if (blockIdx.x == 0 && threadIdx.x == 0)
    s[1] = 2;
  asm volatile("barrier.cluster.arrive;\n barrier.cluster.wait;" ::: "memory");
  out[blockIdx.x * 64 + threadIdx.x] = 1;
}
