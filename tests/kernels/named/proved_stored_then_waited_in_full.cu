// A bulk store is waited for twice: until its source is free, and until it is over.
// launch: grid=1 block=64
#define at(p) ((unsigned)__cvta_generic_to_shared(p))
#define init(b, n) asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at(b)), "r"(n) : "memory")
#define arrive(b) asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(at(b)) : "memory")
#define store(to, from, n)                                                                                             \
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(at(from)), "r"(n) : "memory")
#define commit() asm volatile("cp.async.bulk.commit_group;" ::: "memory")
#define wait_read() asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory")
#define wait_all() asm volatile("cp.async.bulk.wait_group 0;" ::: "memory")
#define proxy_fence() asm volatile("fence.proxy.async.shared::cta;" ::: "memory")
__device__ void wait(long long *b, int phase) {
  unsigned over = 0;
  while (!over)
    asm volatile(
        "{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
        : "=r"(over) : "r"(at(b)), "r"(phase) : "memory");
}
__global__ void k(int *data, int *out) {
  __shared__ __align__(16) int s[64];
  __shared__ long long b;
  int t = threadIdx.x;
  if (t == 0) init(&b, 64);
  __syncthreads();
  s[t] = t;
  proxy_fence();
  arrive(&b);
  wait(&b, 0);
  if (t == 0) {
    store(data, s, 256);
    commit();
    wait_read();
    s[0] = 9;
    wait_all();
    out[0] = data[5];
  }
}
