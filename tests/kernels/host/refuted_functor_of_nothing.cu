// For an empty structure the host passes nothing, and the kernel has a parameter: sizes that only the host knows are read beside it.
// launch: as-launched
struct Plus {
  __device__ int operator()(int a, int b) const { return a + b; }
};
struct Sizes {
  static inline int threads = 64;
};
__global__ void k(Plus plus, int *out) {
  out[threadIdx.x % 64] = plus(threadIdx.x, 1); // ~ HD0101
}
void set(Sizes &sizes) { sizes.threads = 128; }
void run(int *out) {
  Sizes sizes;
  set(sizes);
  k<<<1, Sizes::threads>>>(Plus{}, out);
}
