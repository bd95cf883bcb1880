// A two-dimensional block writes its tile with the number of rows for a pitch.
// launch: grid=1 block=any,any
__global__ void k(int *out) {
  out[threadIdx.y * blockDim.y + threadIdx.x] = threadIdx.y;   // ~ HD0101
}
