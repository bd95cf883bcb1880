// Reversing an array in place goes wrong when every thread moves its mirror element.
// launch: grid=1 block=256
__global__ void k(int *data) {
  int t = threadIdx.x;
  int b = data[255 - t];
  data[t] = b;   // ~ HD0101
}
