// What additions of many threads leave is the same, whoever comes first.
// launch: grid=1 block=64
__device__ void meet(int id) { asm volatile("bar.sync %0, 64;" ::"r"(id) : "memory"); }
__global__ void k(int *out) {
  __shared__ int data[64], sum;
  if (threadIdx.x == 0)
    sum = 0;
  meet(1);
  atomicAdd(&sum, 1);
  meet(2);
  if (sum != 64)
    data[0] = threadIdx.x;
  data[threadIdx.x + sum - 64] = 1;
  meet(3);
  out[threadIdx.x] = data[threadIdx.x];
}
