// The innermost of three loops runs past the end of a row into the next.
// launch: grid=1 block=64
__global__ void k(int *out, int planes, int rows) {
  for (int p = 0; p < planes; p++)
    for (int r = 0; r < rows; r++)
      for (int c = threadIdx.x; c < 128; c += 64)
        out[(p * rows + r) * 100 + c] = c;   // ~ HD0101
}
