// Extensions of PyTorch before 1.11 ask the C library below it for its state and its stream.
// launch: as-launched
#include <ATen/ATen.h>
#include <THC/THC.h>
THCState *state = at::globalContext().lazyInitCUDA();
__global__ void k(float *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = i; // ~ HD0101
}
void run(at::Tensor out, int n, int stride) {
  CHECK_LE(stride, 4) << "rows of four";
  k<<<THCCeilDiv(n, 256), 256, 0, THCState_getCurrentStream(state)>>>(out.data<float>(), n, stride);
}
