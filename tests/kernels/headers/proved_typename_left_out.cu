// A template leaves `typename` out where nvcc knows a type once the arguments are there.
// launch: grid=any block=64
struct Field {
  typedef float storage;
};
template <class T> struct Pair {
  T x, y;
};
template <class F> __device__ void reversed(float *p) {
  __shared__ F::storage s[64];
  Pair<F::storage> pair;
  const F::storage v = p[blockIdx.x * 64 + threadIdx.x];
  pair.x = v > 0 ? F::storage(v) : F::storage();
  s[threadIdx.x] = pair.x;
  __syncthreads();
  p[blockIdx.x * 64 + threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void k(float *p) { reversed<Field>(p); }
