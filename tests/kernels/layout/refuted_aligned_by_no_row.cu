// Threads of a column store pairs one element apart: no two of them are at aligned addresses.
// launch: grid=1 block=1,64
__global__ void k(int *out, int first) {
  int t = threadIdx.y * blockDim.x + threadIdx.x;
  *reinterpret_cast<int2 *>(out + first + t) = make_int2(100 * t, 100 * t + 7);  // ~ HD0101
}
