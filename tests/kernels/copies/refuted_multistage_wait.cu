// The wait in the main loop leaves as many groups pending as there are stages but one: one too many.
// launch: grid=any block=128
#define at(p) ((unsigned)__cvta_generic_to_shared(p))
constexpr int STAGES = 4;
__device__ void copy16(void *to, const void *from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at(to)), "l"(from) : "memory");
}
__device__ void commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int N> __device__ void wait() { asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory"); }
__global__ void k(const float *a, const float *b, float *c, int depth) {
  extern __shared__ float smem[];
  float *sa = smem, *sb = smem + STAGES * 1024;
  int t = threadIdx.x, tiles = depth / 16;
  auto load = [&](int stage, int tile) {
    for (int i = 0; i < 2; i++) {
      int row = t / 4 + 32 * i, col = t % 4 * 4;
      copy16(&sa[stage * 1024 + row * 16 + col], &a[(blockIdx.x * 64 + row) * depth + tile * 16 + col]);
      copy16(&sb[stage * 1024 + row * 16 + col], &b[(blockIdx.y * 64 + row) * depth + tile * 16 + col]);
    }
  };
  for (int s = 0; s < STAGES - 1; s++) {
    if (s < tiles)
      load(s, s);
    commit();
  }
  int read = 0, write = STAGES - 1;
  float sum = 0;
  for (int tile = 0; tile < tiles; tile++) {
    wait<STAGES - 1>();
    __syncthreads();
    int next = tile + STAGES - 1;
    if (next < tiles)
      load(write, next);
    commit();
    for (int kk = 0; kk < 16; kk++)
      sum += sa[read * 1024 + t % 64 * 16 + kk] * sb[read * 1024 + t / 2 * 16 + kk]; // ~ HD0101 HD0105
    read = read + 1 == STAGES ? 0 : read + 1;
    write = write + 1 == STAGES ? 0 : write + 1;
  }
  wait<0>();
  __syncthreads();
  smem[t] = sum;
  __syncthreads();
  c[((size_t)blockIdx.y * gridDim.x + blockIdx.x) * 128 + t] = smem[127 - t];
}
