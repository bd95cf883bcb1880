// y = a x + y, an element per thread.
#include "index.cuh"

__global__ void saxpy(int n, float a, const float *x, float *y) {
  int i = index_in_grid();
  if (i < n) y[i] = a * x[i] + y[i];
}
