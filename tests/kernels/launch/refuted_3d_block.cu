// The flat index of a three-dimensional block forgets the third coordinate.
// launch: grid=1 block=8,4,16
__global__ void k(int *out) {
  int t = threadIdx.y * blockDim.x + threadIdx.x;
  out[t] = threadIdx.z;   // ~ HD0101
}
