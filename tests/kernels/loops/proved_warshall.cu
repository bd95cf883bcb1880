// Warshall's closure writes a cell only when it was zero, and so never the row or column that is being read.
// launch: grid=1 block=16,16
__global__ void k(int *reach) {
  int i = threadIdx.y, j = threadIdx.x;
  for (int via = 0; via < 16; via++) {
    if (!reach[i * 16 + j])
      if (reach[i * 16 + via] && reach[via * 16 + j])
        reach[i * 16 + j] = 1;
    __syncthreads();
  }
}
