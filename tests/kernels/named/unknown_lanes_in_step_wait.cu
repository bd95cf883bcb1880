// Lanes run in step, and still each waits for its own copies only.
// launch: grid=1 block=64 warp-sync
#define at(p) ((unsigned)__cvta_generic_to_shared(p))
#define copy8(to, from) asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(at(to)), "l"(from) : "memory")
#define commit() asm volatile("cp.async.commit_group;" ::: "memory")
#define wait_group(n) asm volatile("cp.async.wait_group %0;" ::"n"(n) : "memory")
#define meet() asm volatile("bar.sync 3, 64;" ::: "memory")

__global__ void k(long long *out, const long long *in) {
  __shared__ long long s[64];
  int t = threadIdx.x;
  copy8(&s[t], in + t);  // ~ HD0108
  commit();
  if (t % 2)
    wait_group(0); // ~ HD0001
  meet();
  out[t] = s[63 - t]; // ~ HD0002
}
