// A jump back to after the check changes the stride.
// launch: as-launched
__global__ void k(int *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = i;  // ~ HD0101
}
#include <csetjmp>
extern jmp_buf place;
int next();
void run(int *out, int n) {
  volatile int stride = 1;
  if (stride > 0) {
    setjmp(place);
    k<<<1, 64>>>(out, n, stride);
    stride = next();
    longjmp(place, 1);
  }
}
