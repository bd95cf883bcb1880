// A function of another file that has the name of OpenCL's barrier orders nothing that is known.
// launch: grid=1 block=64
__device__ void barrier(unsigned int flags);
__global__ void k(int *out) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x; // ~ HD0002
  barrier(1);                   // ~ HD0001
  out[threadIdx.x] = s[63 - threadIdx.x];
}
