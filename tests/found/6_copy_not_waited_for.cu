// The copy into shared memory is committed and never waited for.
// run: grid=1 block=32 | in=i32[128] out=i32[32] | HD0104
// check: grid=1 block=32 | HD0105
__global__ void k(const int *in, int *out) {
  __shared__ __align__(16) int s[128];
  unsigned to = (unsigned)__cvta_generic_to_shared(s + 4 * threadIdx.x);
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(in + 4 * threadIdx.x) : "memory");
  asm volatile("cp.async.commit_group;" ::: "memory");
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}
