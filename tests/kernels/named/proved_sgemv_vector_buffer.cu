// CudaDMA: one warp brings the vector in pieces, four warps multiply their rows with it (sgemv).
// launch: grid=1 block=160
#define wait_at(id, n) asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(n) : "memory")
#define arrive_at(id, n) asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(n) : "memory")

__global__ void k(float *out, const float *m, const float *v) {
  __shared__ float s[32];
  int t = threadIdx.x;
  if (t >= 128) {
    for (int i = 0; i < 4; i++) {
      wait_at(1, 160);
      s[t - 128] = v[i * 32 + t - 128];
      arrive_at(2, 160);
    }
  } else {
    float sum = 0;
    arrive_at(1, 160);
    for (int i = 0; i < 4; i++) {
      wait_at(2, 160);
      for (int j = 0; j < 32; j++)
        sum += m[t * 128 + i * 32 + j] * s[j];
      if (i < 3)
        arrive_at(1, 160);
    }
    out[t] = sum;
  }
}
