// A block's pipeline of two stages is filled ahead, any number of times.
// launch: grid=8 block=128
#include <cooperative_groups.h>
#include <cuda/pipeline>

__global__ void k(const int *in, int *out, int n) {
  __shared__ int s[2][128];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto block = cooperative_groups::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  int sum = 0;
  for (int i = 0, ahead = 0; i < n; ++i) {
    for (; ahead < n && ahead < i + 2; ++ahead) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, s[ahead % 2], in + (blockIdx.x * n + ahead) * 128, sizeof(int) * 128, pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum += s[i % 2][127 - threadIdx.x];
    pipe.consumer_release();
  }
  out[blockIdx.x * 128 + threadIdx.x] = sum;
}
