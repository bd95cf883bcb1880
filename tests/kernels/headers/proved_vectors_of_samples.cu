// A filter with the vectors and checks of NVIDIA's samples, whose tile is complete behind a barrier.
// launch: as-launched
#include <cutil_inline.h>
#include <cutil_math.h>

__global__ void smooth(float4 *to, const float4 *from) {
  __shared__ float4 tile[128];
  tile[threadIdx.x] = from[blockIdx.x * 128 + threadIdx.x];
  __syncthreads();
  float4 a = tile[threadIdx.x], b = tile[(threadIdx.x + 1) % 128];
  to[blockIdx.x * 128 + threadIdx.x] = lerp(a, b, 0.25f) + dot(a, b) * fabs(a);
}

int main(int argc, char **argv) {
  CUT_DEVICE_INIT(argc, argv);
  unsigned int timer, blocks = 16;
  double given[] = {blocks, 128};
  CUT_SAFE_CALL(cutCreateTimer(&timer));
  float4 *to, *from;
  CUDA_SAFE_CALL(cudaMalloc((void **)&to, 2048 * sizeof(float4)));
  cutilSafeCall(cudaMalloc((void **)&from, 2048 * sizeof(float4)));
  smooth<<<blocks, 128>>>(to, from);
  CUT_CHECK_ERROR("smooth");
  return given[0] > 1;
}
