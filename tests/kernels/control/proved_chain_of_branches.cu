// Each thread writes its own element, in whichever branch its number sends it to.
// launch: grid=any block=64
__global__ void k(int *x, const int *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, v = y[i];
  if (v < 1) x[i] = 1;
  else if (v < 2) x[i] = 2;
  else if (v < 4) x[i] = 3;
  else if (v < 8) x[i] = 4;
  else if (v < 16) x[i] = 5;
  else x[i] = 6;
}
