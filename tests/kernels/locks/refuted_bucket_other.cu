// The bucket that is written is another than the one of the lock.
// launch: grid=any block=any passes=races
__global__ void k(int *lock, int *head, int *next, const int *keys, int n, int buckets) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int h = keys[i] % buckets;
  bool done = false;
  while (!done) {
    if (atomicCAS(&lock[h], 0, 1) == 0) {
      __threadfence();
      next[i] = head[h];
      head[h / 2] = i; // ~ HD0101
      __threadfence();
      atomicExch(&lock[h], 0);
      done = true;
    }
  }
}
