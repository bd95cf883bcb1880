// The place after the end of a plane is the first one of the next.
// launch: grid=any,any,any block=any
__global__ void fill(int planes, int width, int height, float *out) {
  int plane = blockIdx.z, place = blockIdx.x * blockDim.x + threadIdx.x;
  if (plane < planes && place <= width * height)
    out[plane * width * height + place] = plane + place; // ~ HD0102
}
