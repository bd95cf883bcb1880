// The one run that would show a race leaves an array: it shows nothing.
// launch: grid=1 block=64
__global__ void k(int *out, int m) {
  __shared__ int s, a[64];
  int t = threadIdx.x;
  if (t < 32) {
    if (t == 0 && m > 40) s = 1; // ~ HD0002
    a[m + t] = 1;
    asm volatile("bar.sync 1, 64;" ::: "memory");
  } else {
    asm volatile("bar.arrive 1, 64;" ::: "memory");
    out[t] = s;
  }
}
