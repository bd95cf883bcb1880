// Textures by reference and by object.
texture<float, 2, cudaReadModeElementType> image;
texture<uchar4, 1, cudaReadModeNormalizedFloat> colours;
__global__ void k(float *o, cudaTextureObject_t t) {
  float4 c = tex1D(colours, 1.0f);
  o[threadIdx.x] = tex2D(image, 1.0f, 2.0f) + c.x + tex2D<float>(t, 1.0f, 2.0f);
}
int main() {
  image.filterMode = cudaFilterModePoint;
  float *p;
  cudaBindTexture2D(nullptr, image, p, cudaCreateChannelDesc<float>(), 1, 1, 4);
  cudaUnbindTexture(colours);
}
