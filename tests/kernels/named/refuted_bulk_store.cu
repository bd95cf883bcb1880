// The tile is written again while the bulk copy may still read it.
// launch: grid=1 block=64
#define wait_at(id, n) asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(n) : "memory")
#define arrive_at(id, n) asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(n) : "memory")
#define at(p) ((unsigned)__cvta_generic_to_shared(p))

__global__ void k(int *out) {
  __shared__ alignas(128) int s[64];
  int t = threadIdx.x;
  for (int i = 0; i < 4; i++) {
    s[t] = i * t; // ~ HD0105
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    wait_at(1, 64);
    if (t == 0) {
      asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 256;" ::"l"(out + i * 64), "r"(at(s)) : "memory");
      asm volatile("cp.async.bulk.commit_group;" ::: "memory");
      asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");
    }
    wait_at(2, 64);
  }
}
