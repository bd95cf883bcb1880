// The group that all lanes wait for is the older one, whether or not they commit one more.
// launch: grid=1 block=64
#define at(p) ((unsigned)__cvta_generic_to_shared(p))
#define copy8(to, from) asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(at(to)), "l"(from) : "memory")
#define commit() asm volatile("cp.async.commit_group;" ::: "memory")
#define wait_group(n) asm volatile("cp.async.wait_group %0;" ::"n"(n) : "memory")
#define meet() asm volatile("bar.sync 3, 64;" ::: "memory")

__global__ void k(long long *out, const long long *in) {
  __shared__ long long s[2][64];
  int t = threadIdx.x;
  copy8(&s[0][t], in + t);
  commit();
  copy8(&s[1][t], in + 64 + t);  // ~ HD0108
  commit();
  if (t % 3 == 0)
    commit();
  wait_group(1);
  meet();
  out[t] = s[0][t ^ 1];
}
