// The two blocks guard one word by different locks.
// launch: grid=2 block=1 passes=barrier-divergence,races
__device__ int first, second;
__global__ void k(int *word) {
  if (blockIdx.x == 0) {
    while (atomicCAS(&first, 0, 1) != 0) {
    }
    __threadfence();
    word[0] += 1; // ~ HD0102
    __threadfence();
    atomicExch(&first, 0);
  } else {
    while (atomicCAS(&second, 0, 1) != 0) {
    }
    __threadfence();
    word[0] += 2;
    __threadfence();
    atomicExch(&second, 0);
  }
}
