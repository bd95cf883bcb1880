// Three nested loops over planes, rows and a column stride write every element once.
// launch: grid=1 block=64
__global__ void k(int *out, int planes, int rows) {
  for (int p = 0; p < planes; p++)
    for (int r = 0; r < rows; r++)
      for (int c = threadIdx.x; c < 100; c += 64)
        out[(p * rows + r) * 100 + c] = p + r + c;
}
