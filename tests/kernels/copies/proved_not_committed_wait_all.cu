// A wait for all copies also waits for those of no group.
// launch: grid=any block=64
__global__ void k(const float *in, float *out) {
  __shared__ float s[64];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"((unsigned)__cvta_generic_to_shared(&s[t])), "l"(&in[i])
               : "memory");
  asm volatile("cp.async.wait_all;" ::: "memory");
  out[i] = s[t];
}
