// The double-buffered Hillis-Steele scan needs only one barrier per step.
// launch: grid=1 block=128
__global__ void k(int *data) {
  __shared__ int s[2][128];
  int t = threadIdx.x, to = 0;
  s[to][t] = data[t];
  __syncthreads();
  for (int d = 1; d < 128; d *= 2) {
    int from = to;
    to = 1 - to;
    s[to][t] = s[from][t] + (t >= d ? s[from][t - d] : 0);
    __syncthreads();
  }
  data[t] = s[to][t];
}
