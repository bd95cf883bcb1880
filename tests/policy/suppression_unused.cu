// Each thread has an element of its own: there is nothing to allow.
__global__ void k(int *out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = 1;  // heddle: allow(HD0101) was shared once
}
