// A function that gives an object with a destructor lacks its `return`.
// launch: grid=2 block=64 passes=races
struct Held {
  int value;
  __device__ ~Held() { value = 0; }
};
__device__ Held held() {}
__global__ void k(int *out) {
  held();
  out[0] = threadIdx.x; // ~ HD0101
}
