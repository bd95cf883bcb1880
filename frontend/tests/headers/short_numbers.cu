// Floats of 4, 6 and 8 bits, and operators of pairs of bfloat16.
#include <cuda_bf16.hpp>
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>

__global__ void __launch_bounds__(128, 2) k(__nv_bfloat162 *b, __nv_bfloat16 *c, float *o, const __grid_constant__ int n) {
  int i = threadIdx.x;
  __assume(n > 0);
  b[i] = -b[i] + b[i] * b[i] - b[i] / b[i];
  c[i]++;
  --c[i];
  o[i] = (float)__nv_fp6_e2m3(1.5f) + (float)__nv_fp6_e3m2(o[i]) + (float)__nv_fp8_e8m0(3.0f) + (float)__nv_fp4_e2m1(2.0f);
}
__device__ __inline_hint__ __nv_pure__ int same(int x) { return x; }
