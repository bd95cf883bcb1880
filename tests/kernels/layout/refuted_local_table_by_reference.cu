// A table of the thread's own is handed on, and changed through the reference.
// launch: grid=1 block=64
__device__ void change(int (&row)[4], int at) { row[at & 3] -= 1; }
__global__ void k(float *out, const float *in, int n) {
  int row[4] = {0, 64, 192, 128};
  int t = threadIdx.x;
  change(row, n);
  for (int d = 0; d < 4; d++)
    out[row[d] + t] = in[d] * t + 1;  // ~ HD0101 HD0002
}
