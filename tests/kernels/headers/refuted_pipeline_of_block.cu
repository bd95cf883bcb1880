// A block's pipeline of two stages: a stage is read before it is full.
// launch: grid=1 block=64
#include <cooperative_groups.h>
#include <cuda/pipeline>

__global__ void k(int *out, const int *in) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  __shared__ int s[2][64];
  auto block = cooperative_groups::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  for (int i = 0; i < 4; i++) {
    pipe.producer_acquire();
    cuda::memcpy_async(block, s[i % 2], in + i * 64, cuda::aligned_size_t<4>(256), pipe); // ~ HD0101
    pipe.producer_commit();
    out[i * 64 + threadIdx.x] = s[i % 2][63 - threadIdx.x];
    pipe.consumer_wait();
    pipe.consumer_release();
  }
}
