// The tile is handed over while its group may still be under way.
// launch: grid=1 block=64
#define wait_at(id, n) asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(n) : "memory")
#define arrive_at(id, n) asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(n) : "memory")
#define copy(to, from) asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at(to)), "l"(from) : "memory")
#define at(p) ((unsigned)__cvta_generic_to_shared(p))

__global__ void k(int *out, const int *in, int n) {
  __shared__ alignas(16) int s[2][128];
  int t = threadIdx.x;
  if (t >= 32) {
    t -= 32;
    for (int i = 0; i < n + 1; i++) {
      if (i < n) {
        if (i >= 2)
          wait_at(3 + (i & 1), 64);
        copy(&s[i & 1][4 * t], in + i * 128 + 4 * t); // ~ HD0101 HD0105
      }
      asm volatile("cp.async.commit_group;" ::: "memory");
      asm volatile("cp.async.wait_group 2;" ::: "memory");
      if (i > 0)
        arrive_at(1 + (i - 1 & 1), 64);
    }
  } else {
    for (int i = 0; i < n; i++) {
      wait_at(1 + (i & 1), 64);
      out[i * 32 + t] = s[i & 1][127 - t];
      if (i + 2 < n)
        arrive_at(3 + (i & 1), 64);
    }
  }
}
