// A dot product of small numbers and a small sum does not wrap around.
// launch: grid=1 block=64 assume="sum >= 0 && sum < 1000"
__global__ void k(int *out, int sum) {
  if (__dp4a(0x01010101, 0x01010101, sum) < sum)
    out[0] = threadIdx.x;
}
