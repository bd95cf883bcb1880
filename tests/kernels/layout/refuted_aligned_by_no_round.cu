// A thread stores pairs in rounds, one element apart: every other round is at no aligned address.
// launch: grid=1 block=64
__global__ void k(int *out) {
  int t = threadIdx.x;
  for (int i = 0; i < 4; i++)
    *reinterpret_cast<int2 *>(out + t * 4 + i) = make_int2(t, i);  // ~ HD0101
}
