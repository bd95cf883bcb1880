// Short floats.
#include <cuda_bf16.h>
__global__ void k(half *h, half2 *h2, __nv_bfloat16 *b, __nv_bfloat162 *b2, float *f, int *n) {
  h[0] = h[1] + h[2] * __float2half(3.0f); h[1] += h[2]; h[3] = __hmax(h[1], h[2]); h2[0] = __hmax2(h2[1], h2[2]);
  h2[1] = __hadd2(h2[0], h2[1]) * h2[2]; h[4] = hexp(h[2]); h2[4] = h2exp(h2[3]); atomicAdd(&h[5], h[1]); atomicAdd(&h2[7], h2[0]);
  b[0] = b[1] + b[2]; b[1] = __hmul(b[1], b[2]); b2[0] = __hfma2(b2[1], b2[2], b2[3]); b[2] = hsqrt(b[1]); atomicAdd(&b[4], b[3]); atomicAdd(&b2[4], b2[3]);
  f[0] = __half2float(h[0]) + __bfloat162float(b[0]) + (float)h[1]; 
  n[0] = __half2int_rz(h[2]) + (h[1] < h[2]) + __hgt(b[0], b[1]) + (int)h[3];
  h[7] = __shfl_down_sync(~0u, h[1], 1); b2[7] = __shfl_xor_sync(~0u, b2[1], 1);
  h[8] = __ldg(&h[9]); b[9] = __ldg(&b[1]); b[1] = f[2]; h[1] = f[3]; h[2] = 1.0; h[3] = 0; half q = 3; if (h[3] > h[2]) h[1] = -h[2];
  b[3] = __float2bfloat16(3.0f); b[5] = (__nv_bfloat16)2; b[6] = CUDART_INF_BF16; float2 ff = __half22float2(h2[0]); b2[1] = __float22bfloat162_rn(ff);
  h[4] = (half)f[1]; f[2] = h[1]; f[3] = f[4] * (float)h[2]; 
}
#include <cuda_fp8.h>
__global__ void both(half *h, __nv_bfloat16 *b) {
  h[0] = static_cast<half>(b[0]);
  b[1] = static_cast<__nv_bfloat16>(h[1]);
}
__global__ void bytes(__nv_fp8_e4m3 *p, float *f, __half2 *h) {
  p[threadIdx.x] = __nv_fp8_e4m3(f[threadIdx.x]);
  f[1] = (float)p[3] + (float)__nv_fp8_e5m2(2.0f);
  h[0] = (__half2)__nv_fp8x2_e4m3(float2{1, 2});
}
#include <cuda_fp4.h>
__global__ void nibbles(__nv_fp4x2_storage_t *p, float2 *f, __half2 *h, unsigned int *n) {
  p[threadIdx.x] = __nv_cvt_float2_to_fp4x2(f[threadIdx.x], __NV_E2M1, cudaRoundNearest);
  h[0] = (__half2)__nv_fp4x2_e2m1(float2{1, 2});
  h[1] = __nv_cvt_fp4x2_to_halfraw2(p[threadIdx.x], __NV_E2M1);
  n[0] = __fns(n[1], 0, 3);
}
static_assert(RAND_MAX > 0, "as with nvcc");
