// An assignment that lacks the `return` of its reference, and a store by one thread after it.
// launch: grid=2 block=64 passes=races
struct Number {
  int value;
  __device__ Number &operator=(int other) { value = other; }
};
__global__ void k(int *out) {
  Number number;
  number = threadIdx.x;
  out[blockIdx.x * 64 + threadIdx.x] = threadIdx.x;
}
