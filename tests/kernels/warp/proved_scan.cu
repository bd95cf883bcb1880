// A scan within a warp has a barrier on both sides of each write.
// launch: grid=1 block=32
__global__ void k(int *data) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = data[t];
  __syncwarp();
  for (int d = 1; d < 32; d *= 2) {
    int v = t >= d ? s[t - d] : 0;
    __syncwarp();
    s[t] += v;
    __syncwarp();
  }
  data[t] = s[t];
}
