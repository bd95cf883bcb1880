// Each thread fetches its own texel and adds its neighbour's element, which that thread writes.
// launch: grid=2 block=64
__global__ void k(cudaTextureObject_t image, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float next = out[i + 1];
  out[i] = tex1Dfetch<float>(image, i) + next;  // ~ HD0101
}
