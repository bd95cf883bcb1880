// The variable that holds the stride is a constant.
// launch: as-launched
__global__ void k(int *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = i;
}
static const int stride = 4;
void run(int *out, int n) { k<<<1, 64>>>(out, n, stride); }
