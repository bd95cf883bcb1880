// Two tiles change places: one is stored by a bulk copy while the other one is written.
// launch: grid=any block=64
#define at(p) ((unsigned)__cvta_generic_to_shared(p))
__global__ void k(int *out, int n) {
  __shared__ alignas(128) int s[2][64];
  int t = threadIdx.x;
  for (int i = 0; i < n; i++) {
    if (t == 0) asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");
    __syncthreads();
    s[i % 2][t] = i * t;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (t == 0) {
      int *to = out + (long long)(blockIdx.x * n + i) * 64;
      asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 256;" ::"l"(to), "r"(at(s[i % 2])) : "memory");
      asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    }
  }
  if (t == 0) asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}
