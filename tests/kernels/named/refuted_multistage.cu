// A copy goes into the stage that others may still read.
// launch: grid=1 block=32
#define at(p) ((unsigned)__cvta_generic_to_shared(p))
#define copy16(to, from) asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at(to)), "l"(from) : "memory")
#define commit() asm volatile("cp.async.commit_group;" ::: "memory")
#define wait_for(n) asm volatile("cp.async.wait_group %0;" ::"n"(n) : "memory")
#define sync(id, n) asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(n) : "memory")

__global__ void k(int *out, const int *in) {
  __shared__ alignas(16) int s[3][128];
  int t = threadIdx.x;
  for (int i = 0; i < 2; i++) {
    copy16(&s[i][t * 4], in + i * 128 + t * 4);
    commit();
  }
  for (int i = 0; i < 6; i++) {
    wait_for(1);
    sync(0, 32);
    out[i * 32 + t] = s[i % 3][127 - t];
    if (i + 2 < 6)
      copy16(&s[i % 3][t * 4], in + (i + 2) * 128 + t * 4); // ~ HD0101
    commit();
  }
}
