// A pipeline of two stages, for any number of blocks, rounds and dimensions: no launch is run.
// launch: grid=any block=any assume="blockDim.x == 256 && blockDim.y == 1 && blockDim.z == 1" passes=intra-warp-race,intra-block-race,inter-block-race,async-copies
#include <cooperative_groups.h>
#include <cuda/pipeline>

__global__ void k(int *out, const int *in, int n) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  __shared__ int s[2][256];
  auto block = cooperative_groups::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  for (int i = 0; i < n; i++) {
    pipe.producer_acquire();
    cuda::memcpy_async(block, s[i % 2], in + i * 256, sizeof(s[0]), pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    for (int j = threadIdx.x; j < 256; j += blockDim.x)
      out[(blockIdx.x * n + i) * 256 + j] = s[i % 2][255 - j];
    pipe.consumer_release();
  }
}
