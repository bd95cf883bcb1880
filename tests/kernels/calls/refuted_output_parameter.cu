// A device function returns two values through pointers, and one of them is dropped.
// launch: grid=1 block=64
__device__ void split(int v, int *q, int *r) {
  *q = v / 8;
  *r = v % 8;
}
__global__ void k(int *out) {
  int q, r;
  split(threadIdx.x, &q, &r);
  out[r * 8] = q;   // ~ HD0101
}
