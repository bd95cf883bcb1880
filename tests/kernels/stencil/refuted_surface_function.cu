// The first coordinate of a surface counts bytes: neighbours write three bytes of each other's.
// launch: grid=2,2 block=16,16
__global__ void k(cudaSurfaceObject_t image) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  surf2Dwrite(x, image, x, y);  // ~ HD0101
}
