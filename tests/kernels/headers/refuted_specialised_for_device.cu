// A specialisation for the device of a template for both sides is the one that the device calls.
// launch: grid=any block=64
template <typename T> inline __host__ __device__ int slot(T t);
template <> inline __host__ __device__ int slot(float f) { return int(f); }
template <> inline __device__ int slot(int i) { return __clz(i) + i; }
__global__ void k(float *p) {
  p[blockIdx.x * 128 + slot(int(threadIdx.x))] = threadIdx.x; // ~ HD0101
}
