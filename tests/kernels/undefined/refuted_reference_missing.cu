// An assignment that lacks the `return` of its reference comes to its end: what follows is executed.
// launch: grid=2 block=64 passes=races
struct Number {
  int value;
  __device__ Number &operator=(int other) { value = other; }
};
__global__ void k(int *out) {
  Number number;
  number = threadIdx.x;
  out[0] = threadIdx.x; // ~ HD0101
}
