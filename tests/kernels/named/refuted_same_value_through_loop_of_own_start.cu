// Lanes that store to one place start with values of their own.
// launch: grid=1 block=64 passes=races
__global__ void k(float *out) {
  __shared__ float in[128], sum[64];
  int t = threadIdx.x;
  in[t] = t;
  in[64 + t] = 2 * t;
  asm volatile("bar.sync 1, 64;" ::: "memory");
  int at = t / 2;
  float s = t;
#pragma unroll 1
  for (int j = 0; j < 4; j++) s += in[at + j * 8];
  sum[at] = s; // ~ HD0104
  asm volatile("bar.sync 1, 64;" ::: "memory");
  out[t] = sum[t / 2];
}
