// Each thread walks a list to its end, and writes what it found to its own place.
// launch: grid=any block=any
__global__ void k(const int *next, const int *start, int *last) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int at = start[i];
  while (next[at] >= 0) at = next[at];
  last[i] = at;
}
