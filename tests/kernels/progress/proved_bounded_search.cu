// A walk over a row ends at its end, whatever others do; so do tries that are counted.
// launch: grid=any block=any passes=inter-block-race,progress
__global__ void k(const int *first, const int *next, int *state, int *found, int n) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n) return;
  bool best = true;
  for (int e = first[v]; e < first[v + 1]; e++)
    if (atomicAdd(&state[next[e]], 0) != 0) {
      best = false;
      break;
    }
  int tries = 100;
  while (tries-- > 0 && atomicAdd(&state[v], 0) == 0) {
  }
  if (best) atomicExch(&state[v], 1);
  else atomicAdd(found, 1);
}
