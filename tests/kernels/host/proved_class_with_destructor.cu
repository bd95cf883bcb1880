// A class with a destructor is passed by its address: of its two members one is the stride.
// launch: as-launched
struct Stride {
  int offset, n;
  __host__ __device__ ~Stride() {}
};
__global__ void class_with_destructor(float *out, Stride s) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i * s.n + s.offset] = i;
}
void run(float *out, int offset) { class_with_destructor<<<4, 64>>>(out, Stride{offset, 1}); }
