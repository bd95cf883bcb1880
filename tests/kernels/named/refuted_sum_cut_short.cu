// An addition to eight bytes and one to four of them are not in one piece for each other.
// launch: grid=1 block=64
__device__ void meet(int id) { asm volatile("bar.sync %0, 64;" ::"r"(id) : "memory"); }
__global__ void k(unsigned long long *out) {
  __shared__ unsigned long long sum;
  if (threadIdx.x == 0)
    sum = 0;
  meet(1);
  if (threadIdx.x < 32)
    atomicAdd(&sum, 1ull); // ~ HD0101
  else
    atomicAdd((unsigned *)&sum, 1u);
  meet(2);
  out[threadIdx.x] = sum;
}
