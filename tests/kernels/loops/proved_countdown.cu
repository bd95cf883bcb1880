// A loop that counts down strides through the elements of its thread.
// launch: grid=1 block=128
__global__ void k(int *out, int n) {
  for (int i = n - 1 - (int)threadIdx.x; i >= 0; i -= 128)
    out[i] = i;
}
