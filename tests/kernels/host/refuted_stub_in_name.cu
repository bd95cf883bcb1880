// A function of the program has the name of clang's stubs in its own, and launches with a stride of zero.
// launch: as-launched
__global__ void stub_in_name(float *out, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i * stride] = i; // ~ HD0101
}
void my__device_stub__run(float *out) { stub_in_name<<<4, 64>>>(out, 0); }
void run(float *out) { stub_in_name<<<4, 64>>>(out, 1); }
