// The lock of one bin is taken, and the next bin is changed as well: two locks guard one word.
// launch: grid=4 block=1 passes=barrier-divergence,races
__global__ void k(int *locks, int *count, const int *bin) {
  int b = bin[blockIdx.x] & 7;
  while (atomicExch(&locks[b], 1) != 0) {
  }
  __threadfence();
  count[b] += 1; // ~ HD0102
  count[b + 1] += 1;
  __threadfence();
  atomicExch(&locks[b], 0);
}
