// How many have added under a lock is not what the order of the text says.
// launch: grid=1 block=64 passes=races
__global__ void k(const int *in, int *out, int *lock) {
  __shared__ int count;
  int t = threadIdx.x, some = in[t] & 1;
  if (t == 0)
    count = 0;
  __syncthreads();
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  count = count + some;
  __threadfence();
  atomicExch(lock, 0);
  __syncthreads();
  out[count >= 2 ? 0 : t] = t;  // ~ HD0002
}
