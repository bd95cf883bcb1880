// A partner found by adding the stride belongs to two pairs at once.
// launch: grid=1 block=256 stride=64
__global__ void k(int *data, int stride, int size) {
  int i = threadIdx.x;
  int other = i + stride;
  if (other < 256) {
    int a = data[i], b = data[other];
    if ((a > b) == ((i & size) == 0)) {
      data[i] = b;       // ~ HD0101
      data[other] = a;   // ~ HD0101
    }
  }
}
