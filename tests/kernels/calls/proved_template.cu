// A device function template with a constant width lays out a tile.
// launch: grid=1 block=32,8
template <int Width> __device__ int at(int x, int y) { return y * Width + x; }
__global__ void k(const int *in, int *out) {
  __shared__ int s[8 * 33];
  int x = threadIdx.x, y = threadIdx.y;
  s[at<33>(x, y)] = in[at<32>(x, y)];
  __syncthreads();
  out[at<32>(x, y)] = s[at<33>(31 - x, 7 - y)];
}
