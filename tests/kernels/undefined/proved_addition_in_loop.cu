// Where the counter is zero, each thread stores to a place of its own.
// launch: grid=1 block=64
__global__ void k(int *x, int n) {
  __shared__ int count;
  int t = threadIdx.x, last = 0;
  if (t == 0) count = 0;
  __syncthreads();
  for (int i = 0; i < n; i++) last = atomicAdd(&count, 1);
  __syncthreads();
  int all = count;
  if (all == 0) x[t] = t;
}
