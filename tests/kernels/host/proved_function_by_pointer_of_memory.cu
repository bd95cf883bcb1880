// The driver is asked for a variable by its name, through a pointer to the driver's function.
// launch: as-launched
#include <cuda.h>
extern "C" __global__ void by_name(float *out, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i * stride] = i;
}
CUresult (*get)(CUdeviceptr *, size_t *, CUmodule, const char *) = cuModuleGetGlobal;
void run(float *out, CUmodule module) {
  by_name<<<4, 64>>>(out, 1);
  CUdeviceptr p;
  size_t bytes;
  get(&p, &bytes, module, "values");
}
