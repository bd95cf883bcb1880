// All-pairs shortest paths rewrite the row and the column that other threads read in the same step.
// launch: grid=1 block=16,16
__global__ void k(int *dist) {
  int i = threadIdx.y, j = threadIdx.x;
  for (int via = 0; via < 16; via++) {
    int through = dist[i * 16 + via] + dist[via * 16 + j];
    if (through != dist[i * 16 + j])
      dist[i * 16 + j] = through;   // ~ HD0101
    __syncthreads();
  }
}
