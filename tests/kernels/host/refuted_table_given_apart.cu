// The other name of the table begins one row later, where the next thread has its row.
// launch: as-launched
__global__ void k(int **one, int **other) {
  int t = threadIdx.x;
  one[t][0] = t; // ~ HD0101
  other[t][0] = t + 100;
}

void run() {
  int **table;
  cudaMalloc(&table, 64 * sizeof(int *));
  k<<<1, 32>>>(table, table + 1);
}
