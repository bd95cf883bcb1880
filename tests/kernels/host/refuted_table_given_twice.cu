// The host gives one table of pointers twice: the row of a thread is that of its neighbour by the other name.
// launch: as-launched
__global__ void k(int **one, int **other) {
  int t = threadIdx.x;
  one[t][0] = t; // ~ HD0101
  other[t ^ 1][0] = t + 100;
}

void run() {
  int **table;
  cudaMalloc(&table, 64 * sizeof(int *));
  k<<<1, 32>>>(table, table);
}
