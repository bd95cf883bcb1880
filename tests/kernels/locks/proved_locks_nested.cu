// The second lock is taken while the first is held; words are guarded by either.
// launch: grid=any block=1 passes=barrier-divergence,races
__device__ int outer, inner;
__global__ void k(int *a, int *b) {
  while (atomicCAS(&outer, 0, 1) != 0) {
  }
  __threadfence();
  a[0] += 1;
  while (atomicCAS(&inner, 0, 1) != 0) {
  }
  __threadfence();
  b[0] += 1;
  a[1] += 1;
  __threadfence();
  atomicExch(&inner, 0);
  a[2] += 1;
  __threadfence();
  atomicExch(&outer, 0);
}
