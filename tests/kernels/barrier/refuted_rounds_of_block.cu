// A barrier in the rounds by which a block goes through some elements: in the last round some threads are not there.
// launch: grid=1 block=64
__global__ void k(float *data, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    data[i] += 1.0f;
    __syncthreads(); // ~ HD0201
  }
}
