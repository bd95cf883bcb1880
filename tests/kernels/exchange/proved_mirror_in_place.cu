// Reversing an array in place is safe when only the lower half of the threads swaps.
// launch: grid=1 block=256
__global__ void k(int *data) {
  int t = threadIdx.x;
  if (t < 128) {
    int a = data[t], b = data[255 - t];
    data[t] = b;
    data[255 - t] = a;
  }
}
