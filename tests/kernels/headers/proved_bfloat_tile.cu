// A tile of bfloat16 is transposed through shared memory.
// launch: grid=1 block=16,16
#include <cuda_bf16.h>

__global__ void k(__nv_bfloat16 *out, const __nv_bfloat16 *in) {
  __shared__ __nv_bfloat16 s[16][17];
  int x = threadIdx.x, y = threadIdx.y;
  s[y][x] = in[y * 16 + x] + __float2bfloat16(1.0f);
  __syncthreads();
  out[y * 16 + x] = __hmax(s[x][y], s[y][x]);
}
