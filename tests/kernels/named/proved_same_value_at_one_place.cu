// Neighbours store the number 1 to one place, and zeros wherever: each byte gets one value.
// launch: grid=1 block=64
struct __attribute__((packed)) Number {
  int value;
};
__device__ void meet(int id) { asm volatile("bar.sync %0, 64;" ::"r"(id) : "memory"); }
__global__ void k(char *out) {
  __shared__ char bytes[132];
  __shared__ int numbers[32];
  meet(1);
  ((Number *)(bytes + 2 * threadIdx.x))->value = 0; // ~ HD0103
  numbers[threadIdx.x / 2] = 1;                     // ~ HD0103
  meet(2);
  out[threadIdx.x] = bytes[threadIdx.x] + numbers[threadIdx.x / 2];
}
