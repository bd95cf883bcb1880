// The distance from one array to the other leads from the second back to the first.
// launch: grid=1 block=64
__global__ void k(int *out) {
  __shared__ int a[64], b[64];
  unsigned long long there = (unsigned long long)a - (unsigned long long)b;
  int *c = (int *)((unsigned long long)b + there);
  c[threadIdx.x] = 1;                      // ~ HD0002
  a[63 - threadIdx.x] = 2;
  out[threadIdx.x] = b[0];
}
