// Without the barrier the detour through shared memory reads what another thread writes through a generic pointer.
// launch: grid=1 block=64
__global__ void k(int *out, int direct) {
  __shared__ int s[64];
  int t = threadIdx.x;
  int *target = direct ? out : s;
  target[t] = t * t;   // ~ HD0101
  if (!direct)
    out[t] = s[63 - t];
}
