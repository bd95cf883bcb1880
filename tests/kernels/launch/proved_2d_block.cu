// A two-dimensional block of any shape writes its tile row by row.
// launch: grid=1 block=any,any
__global__ void k(int *out) {
  out[threadIdx.y * blockDim.x + threadIdx.x] = threadIdx.y;
}
