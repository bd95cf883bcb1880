// Two blocks wait for each turn, and one of them makes the next: both go on at once.
// launch: grid=any block=1 passes=inter-block-race
__global__ void k(int *data, volatile int *sem) {
  int turn = blockIdx.x / 2;
  while (*sem != turn) {
  }
  __threadfence();
  data[0] += 1; // ~ HD0102
  __threadfence();
  if (blockIdx.x % 2 == 0) *sem = turn + 1;
}
