// Each row waits for the rows that it needs, whose numbers come from memory.
// launch: grid=any block=any passes=races
__global__ void k(const int *ptr, const int *col, const float *val, const float *b, float *x, volatile int *done, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = b[i];
  for (int j = ptr[i]; j < ptr[i + 1] - 1; j++) {
    int c = col[j];
    while (done[c] == 0) {
    }
    __threadfence();
    sum -= val[j] * x[c];
  }
  x[i] = sum;
  __threadfence();
  done[i] = 1;
}
