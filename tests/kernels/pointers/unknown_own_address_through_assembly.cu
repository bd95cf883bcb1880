// An assembly stores the address of shared memory; what is read through it later may be there.
// launch: grid=1 block=64
struct Pair {
  int *first;
  int *second;
};
__global__ void k(Pair *pair, int *out) {
  __shared__ int own;
  if (threadIdx.x == 0) {
    long long at;
    asm("mov.u64 %0, %1;" : "=l"(at) : "l"(&own));
    asm volatile("st.global.u64 [%0], %1;" ::"l"(&pair->second), "l"(at) : "memory");
  }
  __syncthreads();
  if (threadIdx.x == 0)
    own = 1;  // ~ HD0002
  if (threadIdx.x == 32)
    out[0] = *pair->second;
}
