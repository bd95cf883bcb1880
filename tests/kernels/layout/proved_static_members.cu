// Members of a structure that are static are none of its parts, and the pointers beside them lead to what each thread owns.
// launch: grid=1 block=64
struct Buffers {
  float *first, *second;
  static const int LENGTH = 1024;
  static const int SHIFT = 10;
};
__global__ void k(float *out, Buffers of) {
  of.first[threadIdx.x] = 1;
  out[threadIdx.x] = of.first[threadIdx.x];
}
