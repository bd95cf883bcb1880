// The second wait names the phase that has not begun: no thread ever completes it.
// run: grid=1 block=32 | out=i32[32] | HD0202
// check: grid=1 block=32 | HD0202
__global__ void k(int *out) {
  __shared__ unsigned long long bar;
  unsigned at = (unsigned)__cvta_generic_to_shared(&bar);
  if (threadIdx.x == 0)
    asm volatile("mbarrier.init.shared.b64 [%0], 32;" ::"r"(at) : "memory");
  __syncthreads();
  for (int parity = 0; parity < 2; parity++) {
    if (parity == 0)
      asm volatile("{ .reg .b64 t; mbarrier.arrive.shared.b64 t, [%0]; }" ::"r"(at) : "memory");
    unsigned done = 0;
    while (!done)
      asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                   : "=r"(done) : "r"(at), "r"(parity) : "memory");
  }
  out[threadIdx.x] = 1;
}
