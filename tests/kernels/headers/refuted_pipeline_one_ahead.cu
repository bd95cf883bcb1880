// The stage that is filled next is read.
// launch: grid=any block=256
#include <cooperative_groups.h>
#include <cuda/pipeline>

__global__ void k(int *out, const int *in, int n) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  __shared__ int s[2][256];
  auto block = cooperative_groups::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  int t = threadIdx.x;
  pipe.producer_acquire();
  cuda::memcpy_async(block, s[0], in, sizeof(s[0]), pipe);
  pipe.producer_commit();
  for (int i = 1; i < n; i++) {
    pipe.producer_acquire();
    cuda::memcpy_async(block, s[i % 2], in + i * 256, sizeof(s[0]), pipe); // ~ HD0101
    pipe.producer_commit();
    pipe.consumer_wait();
    out[(blockIdx.x * n + i - 1) * 256 + t] = s[i % 2][255 - t];
    pipe.consumer_release();
  }
  pipe.consumer_wait();
  out[(blockIdx.x * n + n - 1) * 256 + t] = s[(n - 1) % 2][255 - t]; // ~ HD0003
  pipe.consumer_release();
}
