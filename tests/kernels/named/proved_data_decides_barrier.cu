// The number of the barrier comes through shared memory, written before the block meets.
// launch: grid=1 block=64
#define wait_at(id, n) asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(n) : "memory")
#define arrive_at(id, n) asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(n) : "memory")

__global__ void k(int *out) {
  __shared__ int id[2];
  if (threadIdx.x < 2)
    id[threadIdx.x] = 5;
  __syncthreads();
  wait_at(id[threadIdx.x / 32], 64);
  out[threadIdx.x] = 1;
}
