// A fence with its scope before its order still waits for nobody.
// launch: grid=1 block=64
__global__ void k(int *p) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;  // ~ HD0101
  asm volatile("fence.cta.acq_rel;" ::: "memory");
  p[threadIdx.x] = s[63 - threadIdx.x];
}
