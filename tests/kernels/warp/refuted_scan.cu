// A scan within a warp has a barrier between its steps but none between the read and the write of a step.
// launch: grid=1 block=32
__global__ void k(int *data) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = data[t];
  __syncwarp();
  for (int d = 1; d < 32; d *= 2) {
    int v = t >= d ? s[t - d] : 0;
    s[t] += v;   // ~ HD0104
    __syncwarp();
  }
  data[t] = s[t];
}
