// The flat index of a three-dimensional block names each thread once.
// launch: grid=1 block=8,4,16
__global__ void k(int *out) {
  int t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  out[t] = threadIdx.z;
}
