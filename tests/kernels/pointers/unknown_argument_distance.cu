// The distance of two arrays of the caller goes through shared memory.
// launch: grid=1 block=32
typedef unsigned long long u64;
__global__ void k(int *a, int *b) {
  __shared__ u64 there;
  int t = threadIdx.x;
  if (t == 0)
    there = (u64)b - (u64)a;
  __syncthreads();
  int *at = (int *)((u64)a + 4 * t + there);
  *at = t;                                 // ~ HD0002
  b[t ^ 1] = 7;
}
