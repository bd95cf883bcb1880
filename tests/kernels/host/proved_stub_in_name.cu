// A function of the program has the name of clang's stubs in its own, and launches with a stride of one.
// launch: as-launched
__global__ void stub_in_name(float *out, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i * stride] = i;
}
void my__device_stub__run(float *out) { stub_in_name<<<4, 64>>>(out, 1); }
void run(float *out) { stub_in_name<<<4, 64>>>(out, 1); }
