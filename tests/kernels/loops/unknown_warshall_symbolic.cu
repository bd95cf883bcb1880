// Warshall's closure is free of races for any number of nodes, which rests on equal values at equal places, when a block-stride loop covers the matrix.
// launch: grid=1 block=any assume="n > 0 && n <= 10000"
__global__ void k(int *reach, int n) {
  for (int via = 0; via < n; via++) {
    for (int at = threadIdx.x; at < n * n; at += blockDim.x) {
      int i = at / n, j = at % n;
      if (!reach[i * n + j] && reach[i * n + via] && reach[via * n + j])
        reach[i * n + j] = 1;   // ~ HD0002
    }
    __syncthreads();
  }
}
