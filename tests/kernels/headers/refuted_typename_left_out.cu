// What a template without `typename` declares is checked as it is with it.
// launch: grid=any block=64
struct Field {
  typedef float storage;
};
template <class F> __device__ void reversed(float *p) {
  __shared__ F::storage s[64];
  s[threadIdx.x] = F::storage(p[blockIdx.x * 64 + threadIdx.x]); // ~ HD0101
  p[blockIdx.x * 64 + threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void k(float *p) { reversed<Field>(p); }
