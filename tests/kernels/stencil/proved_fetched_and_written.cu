// Each thread fetches its neighbour's texel and writes its own element: no texture is what it writes.
// launch: grid=2 block=64
__global__ void k(cudaTextureObject_t image, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = tex1Dfetch<float>(image, i + 1);
}
