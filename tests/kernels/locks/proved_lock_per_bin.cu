// A lock for each bin guards the bin's two words.
// launch: grid=any block=1 passes=barrier-divergence,races
__global__ void k(int *locks, int *count, float *total, const int *bin, const float *value) {
  int b = bin[blockIdx.x];
  while (atomicExch(&locks[b], 1) != 0) {
  }
  __threadfence();
  count[b] += 1;
  total[b] += value[blockIdx.x];
  __threadfence();
  atomicExch(&locks[b], 0);
}
