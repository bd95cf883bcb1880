// Two warps each initialise the barrier object, with the same count and without an order.
// launch: grid=1 block=64
__device__ void init(unsigned object, unsigned count) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(object), "r"(count) : "memory"); // ~ HD0101
}

__global__ void halves(const int *in, int *out) {
  __shared__ unsigned long long full;
  __shared__ int tile[64];
  unsigned object = (unsigned)__cvta_generic_to_shared(&full);
  if (threadIdx.x % 32 == 0) init(object, 64);
  __syncthreads();
  tile[threadIdx.x] = in[threadIdx.x];
  unsigned long long token;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(token) : "r"(object) : "memory");
  unsigned over = 0;
  while (!over)
    asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                 : "=r"(over)
                 : "r"(object), "l"(token)
                 : "memory");
  out[threadIdx.x] = tile[63 - threadIdx.x];
}
