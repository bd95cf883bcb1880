// Two ones of four bytes and one of eight differ in a byte.
// launch: grid=1 block=64
typedef int Two __attribute__((ext_vector_type(2)));
__device__ void meet(int id) { asm volatile("bar.sync %0, 64;" ::"r"(id) : "memory"); }
__global__ void k(long long *out) {
  __shared__ long long number;
  meet(1);
  if (threadIdx.x == 0)
    *(Two *)&number = Two{1, 1}; // ~ HD0101
  if (threadIdx.x == 32)
    number = 1;
  meet(2);
  out[threadIdx.x] = number;
}
