// A function that gives an object with a destructor lacks its `return`, and each thread stores at its own place.
// launch: grid=2 block=64 passes=races
struct Held {
  int value;
  __device__ ~Held() { value = 0; }
};
__device__ Held held() {}
__global__ void k(int *out) {
  held();
  out[blockIdx.x * 64 + threadIdx.x] = threadIdx.x;
}
