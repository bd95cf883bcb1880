// Neighbours store the number 1 two bytes apart: a byte is 0 by one and 1 by the other.
// launch: grid=1 block=64
struct __attribute__((packed)) Number {
  int value;
};
__device__ void meet(int id) { asm volatile("bar.sync %0, 64;" ::"r"(id) : "memory"); }
__global__ void k(char *out) {
  __shared__ char bytes[132];
  meet(1);
  ((Number *)(bytes + 2 * threadIdx.x))->value = 1; // ~ HD0101
  meet(2);
  out[threadIdx.x] = bytes[threadIdx.x];
}
