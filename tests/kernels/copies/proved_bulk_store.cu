// A tile is stored by a bulk copy; the next tile is written when the copy has read this one.
// launch: grid=any block=64
#define at(p) ((unsigned)__cvta_generic_to_shared(p))
__global__ void k(int *out, int n) {
  __shared__ alignas(128) int s[64];
  int t = threadIdx.x;
  for (int i = 0; i < n; i++) {
    s[t] = i * t;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (t == 0) {
      int *to = out + (long long)(blockIdx.x * n + i) * 64;
      asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 256;" ::"l"(to), "r"(at(s)) : "memory");
      asm volatile("cp.async.bulk.commit_group;" ::: "memory");
      asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    }
    __syncthreads();
  }
}
