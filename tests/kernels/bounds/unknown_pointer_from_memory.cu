// A pointer comes from memory, and what it leads to is not known.
// launch: grid=1 block=32 passes=bounds
__global__ void k(int **rows) {
  rows[threadIdx.x][0] = 1; // ~ HD0002
}
