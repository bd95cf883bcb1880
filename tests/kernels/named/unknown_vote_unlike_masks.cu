// Two lanes vote together, and name different masks: what they get is not defined, and decides who writes.
// launch: grid=1 block=64
__global__ void k(int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = 0; // ~ HD0002
  asm volatile("bar.sync 1, 64;" ::: "memory");
  unsigned votes = 0, mask = t % 32 == 0 ? 0x3u : 0x2u;
  if (t % 32 < 2)
    votes = __ballot_sync(mask, t % 32 == 1);  // ~ HD0002
  if (t == 0 && votes != 2)
    s[40] = 1; // ~ HD0002
  if (t == 40)
    s[40] = 2;
  asm volatile("bar.sync 1, 64;" ::: "memory");
  out[t] = s[t];
}
