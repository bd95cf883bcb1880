// Textures and surfaces through the functions of CUDA: each thread writes its own texel of each layer.
// launch: grid=2,2 block=16,16
__global__ void k(cudaSurfaceObject_t image, cudaTextureObject_t colours, float *sum) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float4 colour = tex2D<float4>(colours, x, y);
  for (int layer = 0; layer < 4; layer++)
    surf2DLayeredwrite(colour, image, 16 * x, y, layer);
  sum[32 * y + x] = tex1Dfetch<float>(colours, x) + surf2DLayeredread<float>(image, 16 * x, y, 1);
}
