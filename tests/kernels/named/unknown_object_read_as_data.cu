// A thread reads a barrier object as data while others arrive at it: it may read any value.
// launch: grid=1 block=64
__global__ void k(int *out) {
  __shared__ unsigned long long bar;
  unsigned at = (unsigned)__cvta_generic_to_shared(&bar);
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 64;" ::"r"(at) : "memory");
  __syncthreads();
  unsigned long long seen = bar; // ~ HD0002
  unsigned long long token;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(token) : "r"(at) : "memory");
  if (seen & 1) __syncthreads(); // ~ HD0002
  out[threadIdx.x] = 1;
}
