// The other name of the table begins one row later, and so does what is read of it.
// launch: as-launched
__global__ void k(int **one, int **other) {
  int t = threadIdx.x;
  one[t][0] = t;
  other[t][1] = t + 100;
}

void run() {
  int **table;
  cudaMalloc(&table, 64 * sizeof(int *));
  k<<<1, 32>>>(table, table + 1);
}
