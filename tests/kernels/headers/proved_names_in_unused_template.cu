// A template that nothing instantiates may name what is not there: nvcc does not read its body.
// launch: grid=any block=any
template <class E> struct Resolver {
  __device__ void never_called(int *p) { low = p[0]; }
};
__global__ void k(unsigned *p) { p[threadIdx.x + blockIdx.x * blockDim.x] = 1; }
