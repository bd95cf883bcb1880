// The host sets a static member of an instance of a template, through an object.
// launch: as-launched
namespace {
template <int N> struct S { static __constant__ int c_stride; };
template <int N> __constant__ int S<N>::c_stride = N;
} // namespace
__global__ void k(int *out) {
  out[threadIdx.x * S<1>::c_stride] = threadIdx.x; // ~ HD0101
}
void run(int *out, int to) {
  S<1> s;
  cudaMemcpyToSymbol(s.c_stride, &to, sizeof to);
  k<<<1, 64>>>(out);
}
