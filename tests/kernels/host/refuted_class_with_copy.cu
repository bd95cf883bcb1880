// A class with a copy constructor of its own is passed by its address, and its member is a stride of zero.
// launch: as-launched
struct Stride {
  int n;
  __host__ __device__ Stride(int n) : n(n) {}
  __host__ __device__ Stride(const Stride &o) : n(o.n) {}
};
__global__ void class_with_copy(float *out, Stride s) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i * s.n] = i; // ~ HD0101
}
void run(float *out) { class_with_copy<<<4, 64>>>(out, Stride(0)); }
