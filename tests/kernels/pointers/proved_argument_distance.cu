// A number of bytes goes through shared memory, and is added to an address.
// launch: grid=1 block=32
typedef unsigned long long u64;
__global__ void k(int *a, int *b) {
  __shared__ u64 there;
  int t = threadIdx.x;
  if (t == 0)
    there = 256;
  __syncthreads();
  int *at = (int *)((u64)a + 4 * t + there);
  *at = t;
  b[t ^ 1] = 7;
}
