// What an exchange of many threads leaves is what the last of them wrote, and any may be the last.
// launch: grid=1 block=64
__device__ void meet(int id) { asm volatile("bar.sync %0, 64;" ::"r"(id) : "memory"); }
__global__ void k(int *out) {
  __shared__ int data[64], last;
  if (threadIdx.x == 0)
    last = 0;
  meet(1);
  atomicExch(&last, threadIdx.x);
  meet(2);
  if (last != 63)
    data[0] = threadIdx.x; // ~ HD0002 HD0002
  meet(3);
  out[threadIdx.x] = data[threadIdx.x];
}
