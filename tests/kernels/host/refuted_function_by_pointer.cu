// The driver is asked for the kernel by its name, through a pointer to the driver's function.
// launch: as-launched
#include <cuda.h>
extern "C" __global__ void by_name(float *out, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i * stride] = i; // ~ HD0101
}
CUresult (*get)(CUfunction *, CUmodule, const char *) = cuModuleGetFunction;
void run(float *out, CUmodule module, int stride) {
  by_name<<<4, 64>>>(out, 1);
  CUfunction f;
  get(&f, module, "by_name");
  void *arguments[] = {&out, &stride};
  cuLaunchKernel(f, 4, 1, 1, 64, 1, 1, 0, 0, arguments, 0);
}
