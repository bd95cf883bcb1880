// Barrier objects, pipelines and asynchronous copies.
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/latch>
#include <cuda/semaphore>
#include <cuda_pipeline.h>
#include <cuda_awbarrier.h>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void other(cuda::barrier<cuda::thread_scope_device> *b, unsigned long long *o) {
  init(b, 64);
  b->wait(b->arrive());
  __mbarrier_init(o, 32);
  while (!__mbarrier_test_wait(o, __mbarrier_arrive(o))) {
  }
  __shared__ nvcuda::experimental::awbarrier met;
  init(&met, 64);
  met.arrive_and_wait();
}
__global__ void k1(int *out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ int s[64];
  int t = threadIdx.x;
  if (t == 0) init(&bar, 64);
  __syncthreads();
  s[t] = t;
  bar.arrive_and_wait();
  out[t] = s[63 - t];
}
__global__ void k2(int *out, const int *in) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ alignas(16) int s[64];
  auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&bar, block.size());
  block.sync();
  cuda::memcpy_async(block, s, in, cuda::aligned_size_t<16>(256), bar);
  auto token = bar.arrive();
  bar.wait(std::move(token));
  out[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void k3(int *out, const int *in) {
  __shared__ alignas(16) int s[64];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], &in[t], sizeof(int));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[t] = s[63 - t];
}
__global__ void k4(int *out, const int *in, int n) {
  __shared__ int s[2][64];
  int t = threadIdx.x;
  auto pipe = cuda::make_pipeline();
  pipe.producer_acquire();
  cuda::memcpy_async(&s[0][t], &in[t], sizeof(int), pipe);
  pipe.producer_commit();
  for (int i = 1; i < n; i++) {
    pipe.producer_acquire();
    cuda::memcpy_async(&s[i % 2][t], &in[i * 64 + t], sizeof(int), pipe);
    pipe.producer_commit();
    cuda::pipeline_consumer_wait_prior<1>(pipe);
    __syncthreads();
    out[i * 64 + t] = s[(i - 1) % 2][63 - t];
    __syncthreads();
    pipe.consumer_release();
  }
}
__global__ void k5(int *out, const int *in) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  __shared__ int s[2][64];
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  int t = threadIdx.x;
  for (int i = 0; i < 4; i++) {
    pipe.producer_acquire();
    cuda::memcpy_async(block, s[i % 2], in + i * 64, cuda::aligned_size_t<4>(256), pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    out[i * 64 + t] = s[i % 2][63 - t];
    pipe.consumer_release();
  }
}
__global__ void k6(int *out, const int *in) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  __shared__ int s[2][32];
  auto block = cg::this_thread_block();
  int t = threadIdx.x;
  auto role = t < 32 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
  auto pipe = cuda::make_pipeline(block, &state, role);
  for (int i = 0; i < 4; i++) {
   if (t < 32) {
    pipe.producer_acquire();
    cuda::memcpy_async(&s[i % 2][t], in + i * 32 + t, cuda::aligned_size_t<4>(4), pipe);
    pipe.producer_commit();
   } else {
    pipe.consumer_wait();
    out[i * 32 + t - 32] = s[i % 2][63 - t];
    pipe.consumer_release();
   }
  }
}
