// A recursive function of unbounded depth writes memory.
// launch: grid=1 block=64
__device__ void walk(int *p, int n) {
  if (n > 0) {
    p[n] += n;
    walk(p, n - 1);
    walk(p, n - 2);
  }
}
__global__ void k(int *out, int n) {
  walk(out + threadIdx.x * 100, n);   // ~ HD0001
}
