// Planes of a batch, one after the other, whose sides are two arguments: nothing says that one of them is positive.
// launch: grid=any,any,any block=any
__global__ void fill(int planes, int width, int height, float *out) {
  int plane = blockIdx.z, place = blockIdx.x * blockDim.x + threadIdx.x;
  if (plane < planes && place < width * height)
    out[plane * width * height + place] = plane + place;
}
