// Macros of one letter, as many a program has them, leave the built-in headers as they are.
// launch: as-launched
#define N 64
#define M 8
#define K 4
#define T 2
#define F 1
#define S 3
#define V 5
#define A 6
#define B 7
#define I 9
#define P 10
#define X 11
#include <cooperative_groups.h>
#include <cub/cub.cuh>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>
#include <thrust/device_vector.h>
#include <thrust/sort.h>
__global__ void k(float *v, int n) {
  using Reduce = cub::BlockReduce<float, N>;
  __shared__ typename Reduce::TempStorage held;
  float sum = Reduce(held).Sum(v[threadIdx.x * n]);
  if (threadIdx.x == 0) v[N * M * n] = sum;
}
int main() {
  float *v;
  cudaMalloc(&v, 4 * N * (M * K + T));
  k<<<1, N>>>(v, K);
  thrust::device_vector<int> all(N);
  thrust::sort(all.begin(), all.end());
}
