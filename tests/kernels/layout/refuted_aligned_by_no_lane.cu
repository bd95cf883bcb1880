// Every other thread stores a vector at an address that is aligned for every fourth alone.
// launch: grid=1 block=64
__global__ void k(int *out) {
  int t = threadIdx.x;
  if (t % 2 == 0)
    *reinterpret_cast<int4 *>(out + t) = make_int4(t, 1, 2, 3);  // ~ HD0101
}
