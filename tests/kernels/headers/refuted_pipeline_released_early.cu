// A stage of a pipeline is released before it is read.
// launch: grid=any block=256
#include <cooperative_groups.h>
#include <cuda/pipeline>

__global__ void k(int *out, const int *in, int n) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 1> state;
  __shared__ int s[1][256];
  auto block = cooperative_groups::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  for (int i = 0; i < n; i++) {
    pipe.producer_acquire();
    cuda::memcpy_async(block, s[0], in + i * 256, sizeof(s[0]), pipe); // ~ HD0101
    pipe.producer_commit();
    pipe.consumer_wait();
    pipe.consumer_release();
    for (int j = threadIdx.x; j < 256; j += blockDim.x)
      out[(blockIdx.x * n + i) * 256 + j] = s[0][255 - j];
  }
}
