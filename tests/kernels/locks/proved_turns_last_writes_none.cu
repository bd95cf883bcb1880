// Each block waits for its turn, and all but the last make the next.
// launch: grid=any block=1 passes=inter-block-race
__global__ void k(int *data, volatile int *sem) {
  int turn = blockIdx.x;
  while (*sem != turn) {
  }
  __threadfence();
  data[0] += 1;
  __threadfence();
  if (turn + 1 < gridDim.x) *sem = turn + 1;
}
