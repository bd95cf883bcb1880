// Lanes that copy are the ones that put copies into groups; what the others commit is empty.
// launch: grid=1 block=64
#define at(p) ((unsigned)__cvta_generic_to_shared(p))
#define copy8(to, from) asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(at(to)), "l"(from) : "memory")
#define commit() asm volatile("cp.async.commit_group;" ::: "memory")
#define wait_group(n) asm volatile("cp.async.wait_group %0;" ::"n"(n) : "memory")
#define meet() asm volatile("bar.sync 3, 64;" ::: "memory")

__global__ void k(long long *out, const long long *in) {
  __shared__ long long s[64];
  int t = threadIdx.x;
  if (t & 16) {
    copy8(&s[t], in + t);
    copy8(&s[t - 16], in + t - 16);
    commit();
  }
  if (t & 1)
    commit();
  if (t & 16)
    wait_group(0);
  meet();
  out[t] = s[63 - t];
}
