// A device function template is instantiated with a width smaller than the row.
// launch: grid=1 block=32,8
template <int Width> __device__ int at(int x, int y) { return y * Width + x; }
__global__ void k(const int *in, int *out) {
  __shared__ int s[8 * 33];
  int x = threadIdx.x, y = threadIdx.y;
  s[at<31>(x, y)] = in[at<32>(x, y)];   // ~ HD0101
  __syncthreads();
  out[at<32>(x, y)] = s[at<31>(31 - x, 7 - y)];
}
