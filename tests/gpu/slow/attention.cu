// Attention of 64 queries over all keys, by tiles of 32 keys, with the maximum and the sum carried along.
#define WIDTH 32
#define KEYS 32

__global__ void attention(const float *q, const float *k, const float *v, float *out, int n) {
  __shared__ float keys[KEYS][WIDTH + 1], values[KEYS][WIDTH + 1];
  int t = threadIdx.x, query = blockIdx.x * 64 + t;
  float own[WIDTH], sum[WIDTH];
  for (int d = 0; d < WIDTH; d++) {
    own[d] = q[query * WIDTH + d];
    sum[d] = 0.0f;
  }
  float most = -1e30f, weight = 0.0f;
  for (int first = 0; first < n; first += KEYS) {
    for (int e = t; e < KEYS * WIDTH; e += 64) {
      keys[e / WIDTH][e % WIDTH] = k[first * WIDTH + e];
      values[e / WIDTH][e % WIDTH] = v[first * WIDTH + e];
    }
    __syncthreads();
    for (int j = 0; j < KEYS; j++) {
      float score = 0.0f;
      for (int d = 0; d < WIDTH; d++) score += own[d] * keys[j][d];
      float above = fmaxf(most, score);
      // Powers of two by what an instruction has: no library is needed.
      float old, now;
      asm("ex2.approx.f32 %0, %1;" : "=f"(old) : "f"(most - above));
      asm("ex2.approx.f32 %0, %1;" : "=f"(now) : "f"(score - above));
      weight = weight * old + now;
      for (int d = 0; d < WIDTH; d++) sum[d] = sum[d] * old + now * values[j][d];
      most = above;
    }
    __syncthreads();
  }
  for (int d = 0; d < WIDTH; d++) out[query * WIDTH + d] = sum[d] / weight;
}
