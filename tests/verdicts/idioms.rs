//! Kernels as people write them, right ones and wrong ones, for what the corpus has little of.
//! Mutants are made of these too.
//!
//! **Promises**: each parses and lowers (a test says so). The verdicts are not written down: runs
//! tell.

/// CUDA, each with its launch.
pub(crate) const IDIOMS: &[&str] = &[
    "// launch: grid=1 block=64
__global__ void halve_down(int *out) { int t = threadIdx.x; for (int i = 8; i > 0; i /= 2) { if (i == 2) out[t] = i; } }",
    "// launch: grid=1 block=64
__global__ void halve_negative(int *out) { int t = threadIdx.x; for (int i = -8; i < 0; i /= 2) { if (i == -2) out[t] = i; } }",
    "// launch: grid=1 block=64
__global__ void doubling(int *out, int n) { int t = threadIdx.x; int i = n; for (int k = 0; k < 12; k++) { if (k == 3) out[t] = i; i *= 2; } }",
    "// launch: grid=2 block=64
__global__ void stride_loop(int *out, int n) { int rank = blockIdx.x * blockDim.x + threadIdx.x; for (int i = rank; i < n; i += gridDim.x * blockDim.x) out[i] = rank; }",
    "// launch: grid=2 block=64
__global__ void stride_unsigned(int *out) { unsigned size = gridDim.x * blockDim.x; int rank = blockIdx.x * blockDim.x + threadIdx.x; for (int i = rank; i < 300; i += size) out[i] = rank; }",
    "// launch: grid=1 block=64
__global__ void countdown(int *out) { int t = threadIdx.x; for (int i = 255 - t; i >= 0; i -= 64) out[i] = t; }",
    "// launch: grid=1 block=64
__global__ void narrow_counter(int *out) { int t = threadIdx.x; for (unsigned char i = 0; i < 4; i++) out[t * 4 + i] = t; }",
    "// launch: grid=1 block=64
__global__ void shift_loop(int *out) { int t = threadIdx.x; for (unsigned m = 1u; m < 16u; m <<= 1) out[t * 16 + m] = t; }",
    "// launch: grid=1 block=64
__global__ void shift_down(int *out) { int t = threadIdx.x; for (int d = 32; d >= 1; d >>= 1) if (t < d) out[t + 64 * d] = d; }",
    "// launch: grid=1 block=64
__global__ void bounded_while(int *out) { int t = threadIdx.x, i = t, c = 0; while (i < 100 && c < 5) { out[i * 8 + c] = c; i += 64; c++; } }",
    "// launch: grid=1 block=64
__global__ void ring(int *out) { __shared__ int s[2][64]; int t = threadIdx.x, p = 0; s[0][t] = t; __syncthreads();
  for (int i = 0; i < 5; i++) { s[1 - p][t] = s[p][(t + 1) % 64] + 1; p = 1 - p; __syncthreads(); } out[t] = s[p][t]; }",
    "// launch: grid=1 block=64
__global__ void ring_xor(int *out) { __shared__ int s[128]; int t = threadIdx.x, p = 0; s[t] = t; __syncthreads();
  for (int i = 0; i < 4; i++) { s[(p ^ 64) + t] = s[p + (t ^ 1)]; p ^= 64; __syncthreads(); } out[t] = s[p + t]; }",
    "// launch: grid=1 block=64
__global__ void ring_three(int *out) { __shared__ int s[3][64]; int t = threadIdx.x; s[0][t] = t; __syncthreads();
  for (int i = 0; i < 6; i++) { s[(i + 1) % 3][t] = s[i % 3][(t + 1) & 63]; __syncthreads(); } out[t] = s[0][t]; }",
    "// launch: grid=1 block=64
__global__ void halving(const int *in, int *out) { __shared__ int s[64]; int t = threadIdx.x; s[t] = in[t]; __syncthreads();
  for (int d = 32; d > 0; d >>= 1) { if (t < d) s[t] += s[t + d]; __syncthreads(); } if (t == 0) out[blockIdx.x] = s[0]; }",
    "// launch: grid=1 block=64
__global__ void butterfly(int *out) { __shared__ int s[64]; int t = threadIdx.x; s[t] = t; __syncthreads();
  for (int d = 1; d < 64; d *= 2) { int v = s[t ^ d]; __syncthreads(); s[t] += v; __syncthreads(); } out[t] = s[t]; }",
    "// launch: grid=1 block=64
__global__ void scan(int *out) { __shared__ int s[64]; int t = threadIdx.x; s[t] = 1; __syncthreads();
  for (int d = 1; d < 64; d <<= 1) { int v = t >= d ? s[t - d] : 0; __syncthreads(); s[t] += v; __syncthreads(); } out[t] = s[t]; }",
    "// launch: grid=1 block=64
__global__ void sweep_up(int *out) { __shared__ int s[128]; int t = threadIdx.x, o = 1; s[2 * t] = t; s[2 * t + 1] = t; __syncthreads();
  for (int d = 64; d > 0; d >>= 1) { if (t < d) s[o * (2 * t + 2) - 1] += s[o * (2 * t + 1) - 1]; o *= 2; __syncthreads(); } out[t] = s[t]; }",
    "// launch: grid=1 block=8,8
__global__ void tile(const int *in, int *out) { __shared__ int s[8][9]; int x = threadIdx.x, y = threadIdx.y; s[y][x] = in[y * 8 + x]; __syncthreads(); out[x * 8 + y] = s[x][y]; }",
    "// launch: grid=2 block=64
__global__ void ticket(unsigned *count, int *out) { unsigned i = atomicAdd(count, 1); out[i] = threadIdx.x; }",
    "// launch: grid=1 block=64
__global__ void ticket_two(unsigned *count, int *out) { unsigned i = atomicAdd(count, 2u); out[i] = threadIdx.x; out[i + 1] = 7; }",
    "// launch: grid=2 block=64
__global__ void reserve(const int *length, int *tail, int *out) { int d = length[threadIdx.x]; if (d > 0) { int p = atomicAdd(tail, d); for (int i = 0; i < d; i++) out[p + i] = threadIdx.x; } }",
    "// launch: grid=2 block=64
__global__ void reserve_bits(const int *length, int *tail, int *out) { int d = length[threadIdx.x] & 3; int p = atomicAdd(tail, d); for (int i = 0; i <= d; i++) out[p + i] = threadIdx.x; }",
    "// launch: grid=2 block=64
__global__ void reserve_block(const int *in, int *tail, int *out) { __shared__ int count, base; int t = threadIdx.x, rank = -1; if (t == 0) count = 0; __syncthreads();
  if (in[t] > 0) rank = atomicAdd(&count, 1); __syncthreads(); if (t == 0) base = atomicAdd(tail, count); __syncthreads(); if (rank >= 0) out[base + rank] = t; }",
    "// launch: grid=2 block=64
__global__ void reserve_warp(const int *in, int *tail, int *out) { int t = threadIdx.x, lane = t & 31, base = 0; unsigned m = __ballot_sync(0xffffffffu, in[t] > 0);
  if (lane == 0) base = atomicAdd(tail, __popc(m)); base = __shfl_sync(0xffffffffu, base, 0); if (in[t] > 0) out[base + __popc(m & ((1u << lane) - 1u))] = t; }",
    "// launch: grid=2 block=32
__global__ void reserve_rounds(const int *in, int *tail, int *out) { int lane = threadIdx.x; for (int r = 0; r < 3; r++) { unsigned m = __ballot_sync(0xffffffffu, in[lane + 32 * r] > 0); int base = 0;
  if (lane == 0) base = atomicAdd(tail, __popc(m)); base = __shfl_sync(0xffffffffu, base, 0); if (in[lane + 32 * r] > 0) out[base + __popc(m & ((1u << lane) - 1u))] = r; } }",
    "// launch: grid=1 block=64
__global__ void ticket_down(int *count, int *out) { int i = atomicSub(count, 1); out[i] = threadIdx.x; }",
    "// launch: grid=1 block=64
__global__ void ticket_shared(int *out) { __shared__ unsigned c; if (threadIdx.x == 0) c = 0; __syncthreads(); unsigned i = atomicAdd(&c, 1u); out[i] = threadIdx.x; }",
    "// launch: grid=2 block=32
__device__ unsigned done;
__global__ void last_block(int *part, int *out) { __shared__ bool last; int t = threadIdx.x; part[blockIdx.x * 32 + t] = t; __threadfence(); __syncthreads();
  if (t == 0) { unsigned i = atomicAdd(&done, 1u); last = i == gridDim.x - 1; } __syncthreads();
  if (last) { __threadfence(); int sum = 0; for (unsigned b = 0; b < gridDim.x; b++) sum += part[b * 32 + t]; out[t] = sum; } }",
    "// launch: grid=2 block=1
__device__ int lock;
__global__ void spin(int *sum) { while (atomicCAS(&lock, 0, 1) != 0) { } __threadfence(); *sum += 1; __threadfence(); atomicExch(&lock, 0); }",
    "// launch: grid=1 block=64
__device__ int lock;
__global__ void try_lock(int *sum) { bool done = false; while (!done) { if (atomicCAS(&lock, 0, 1) == 0) { __threadfence(); *sum += threadIdx.x; __threadfence(); atomicExch(&lock, 0); done = true; } } }",
    "// launch: grid=2 block=32
__global__ void shared_lock(int *sum) { __shared__ int lock; int t = threadIdx.x; if (t == 0) lock = 0; __syncthreads(); bool done = false;
  while (!done) { if (atomicCAS(&lock, 0, 1) == 0) { __threadfence(); sum[blockIdx.x] += t; __threadfence(); atomicExch(&lock, 0); done = true; } } }",
    "// launch: grid=1 block=32
__global__ void two_locks(unsigned *l, int *a, int *b) { int t = threadIdx.x; bool done = false;
  while (!done) { if (atomicCAS(&l[t & 1], 0u, 1u) == 0u) { __threadfence(); if (t & 1) *a += t; else *b += t; __threadfence(); atomicExch(&l[t & 1], 0u); done = true; } } }",
    "// launch: grid=1 block=64
__global__ void winner(int *flag, int *out) { if (atomicExch(flag, 1) == 0) out[0] = threadIdx.x; }",
    "// launch: grid=1 block=64
__global__ void maximum(int *best, const int *in) { atomicMax(best, in[threadIdx.x]); }",
    "// launch: grid=1 block=64
__global__ void wide_counter(unsigned long long *count, int *out) { unsigned long long i = atomicAdd(count, 1ull); out[i] = threadIdx.x; }",
    "// launch: grid=1 block=32
__global__ void warp_steps(int *out) { __shared__ int s[32]; int t = threadIdx.x; s[t] = t; __syncwarp(); int v = s[t ^ 1]; __syncwarp(); s[t] = v; __syncwarp(); out[t] = s[31 - t]; }",
    "// launch: grid=1 block=64
__global__ void warp_halves(int *out) { __shared__ int s[64]; int t = threadIdx.x, lane = t & 31; unsigned m = lane < 16 ? 0xffffu : 0xffff0000u; s[t] = t; __syncwarp(m); out[t] = s[t ^ 4]; }",
    "// launch: grid=1 block=64
__global__ void shuffle_sum(const int *in, int *out) { int t = threadIdx.x, v = in[t]; for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffffu, v, d); if ((t & 31) == 0) out[t >> 5] = v; }",
    "// launch: grid=1 block=64
__global__ void shuffle_all(const int *in, int *out) { int t = threadIdx.x, v = in[t]; for (int d = 16; d > 0; d >>= 1) v += __shfl_xor_sync(0xffffffffu, v, d); out[t >> 5] = v; }",
    "// launch: grid=1 block=64
__global__ void ballot(const int *in, int *out) { int t = threadIdx.x, lane = t & 31; unsigned m = __ballot_sync(0xffffffffu, in[t] > 0); int at = __popc(m & ((1u << lane) - 1u)); if (in[t] > 0) out[(t >> 5) * 32 + at] = t; }",
    "// launch: grid=1 block=64
__global__ void any_flag(const int *in, int *out) { int t = threadIdx.x; if (__syncthreads_or(in[t] > 3)) { out[t] = 1; __syncthreads(); out[63 - t] = 2; } }",
    "// launch: grid=1 block=64
__global__ void same_value(int *out) { __shared__ int f; int t = threadIdx.x; f = 5; __syncthreads(); out[t] = f; }",
    "// launch: grid=1 block=64
__global__ void same_in_loop(int *out) { __shared__ int s; for (int i = 0; i < 4; i++) { s = i; __syncthreads(); out[threadIdx.x + 64 * i] = s; __syncthreads(); } }",
    "// launch: grid=1 block=64
__global__ void table(int *out) { static const int tab[4] = {3, 1, 2, 0}; int t = threadIdx.x; if (t < 4) out[tab[t]] = t; }",
    "// launch: grid=1 block=64
__global__ void early_out(int *out, int n) { int t = threadIdx.x; __shared__ int s[64]; if (t >= n) return; s[t] = t; __syncthreads(); out[t] = s[t]; }",
    "// launch: grid=1 block=64
__global__ void out_of_loop(int *out) { int t = threadIdx.x; for (int i = 0; i < 3; i++) { if (t == 70 + i) return; __syncthreads(); out[t + 64 * i] = i; } __syncthreads(); }",
    "// launch: grid=1 block=64
__global__ void skip(int *out, int n) { __shared__ int s[64]; int t = threadIdx.x; for (int i = 0; i < 6; i++) { s[t] = i; if (i % 3 == 1) continue; __syncthreads(); out[t] = s[t]; __syncthreads(); } }",
    "// launch: grid=1 block=64
__global__ void uniform_break(int *out, int n) { __shared__ int s[64]; int t = threadIdx.x; for (int i = 0; ; i++) { if (i >= n) break; s[t] = i; __syncthreads(); out[t] += s[63 - t]; __syncthreads(); } }",
    "// launch: grid=1 block=64
__global__ void roles(int *out) { __shared__ int s[64]; int t = threadIdx.x; switch (t / 32) { case 0: s[t] = t; break; case 1: s[t] = -t; break; default: return; } __syncthreads(); out[t] = s[t ^ 32]; }",
    "struct P { int a; short b; unsigned char c[2]; };
// launch: grid=1 block=64
__global__ void fields(struct P *out) { int t = threadIdx.x; if (t < 32) out[t].b = t; else out[t - 32].c[0] = t; }",
    "union W { unsigned whole; unsigned char part[4]; };
// launch: grid=1 block=64
__global__ void halves(unsigned *out) { __shared__ union W s[16]; int t = threadIdx.x; s[t >> 2].part[t & 3] = t; __syncthreads(); out[t] = s[t & 15].whole; }",
    "// launch: grid=1 block=64
__global__ void bytes(int *out) { __shared__ int s[64]; int t = threadIdx.x; ((unsigned char *)s)[t] = t; __syncthreads(); out[t] = s[t & 15]; }",
    "// launch: grid=1 block=64
__global__ void shorts(int *out) { int t = threadIdx.x; short *p = (short *)out; p[2 * t] = t; p[2 * t + 1] = -t; }",
    "// launch: grid=1 block=64
__global__ void pointers(int *out) { int *p = out + threadIdx.x; for (int i = 0; i < 4; i++) { *p = i; p += 64; } }",
    "struct View { int *to; const int *from; int count; };
// launch: grid=1 block=64
__global__ void by_value(struct View v) { int t = threadIdx.x; if (t < v.count) v.to[t] = v.from[63 - t]; }",
    "// launch: grid=1 block=64
__global__ void wide_vector(int4 *out) { int t = threadIdx.x; out[t].x = t; out[t].w = 1; }",
    "// launch: grid=any block=any
__global__ void open_size(const int *in, int *out) { __shared__ int s[1024]; unsigned t = threadIdx.x; s[t] = in[t]; __syncthreads(); out[blockIdx.x * blockDim.x + t] = s[blockDim.x - 1 - t]; }",
    "// launch: grid=any block=any assume=\"n > 0 && n <= 64\"
__global__ void rows(int *out, int n) { size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; for (int j = 0; j < n; j++) out[i * n + j] = j; }",
    "// launch: grid=1 block=64
__global__ void remainders(int *out, unsigned n) { unsigned t = threadIdx.x; if (n > 0u && n < 64u) out[t / n * n + t % n] = t; }",
    "// launch: grid=1 block=64
__global__ void product(int *out, unsigned n) { unsigned t = threadIdx.x; if (n > 0u) out[t * n] = t; }",
    "// launch: grid=1 block=64
__global__ void guarded_barrier(int *out, unsigned n) { unsigned t = threadIdx.x; if (t + n >= n) __syncthreads(); out[t] = 1; }",
    "// launch: grid=1 block=64
__global__ void named(int *out) { __shared__ int s[64]; int t = threadIdx.x; if (t < 32) { s[t] = t; asm volatile(\"bar.arrive 1, 64;\" ::: \"memory\"); } else { asm volatile(\"bar.sync 1, 64;\" ::: \"memory\"); out[t] = s[t - 32]; } }",
    "// launch: grid=1 block=64
__global__ void named_meet(int *out) { __shared__ int s[64]; int t = threadIdx.x; s[t] = t; asm volatile(\"bar.sync 1, 64;\" ::: \"memory\"); out[t] = s[63 - t]; asm volatile(\"bar.sync 2, 64;\" ::: \"memory\"); s[t] = 0; }",
    "__device__ int twice(int *s, int v) { int t = threadIdx.x; s[t] = v; __syncthreads(); int r = s[63 - t]; __syncthreads(); return r; }
// launch: grid=1 block=64
__global__ void called(int *out) { __shared__ int s[64]; int a = twice(s, threadIdx.x); int b = twice(s, a + 1); out[threadIdx.x] = a + b; }",
    "// launch: grid=1 block=64
__global__ void odd_even(int *data) { __shared__ int s[128]; int t = threadIdx.x; s[2 * t] = data[2 * t]; s[2 * t + 1] = data[2 * t + 1]; __syncthreads();
  for (int i = 0; i < 8; i++) { int a = 2 * t + (i & 1); if (a + 1 < 128) { int x = s[a], y = s[a + 1]; if (x > y) { s[a] = y; s[a + 1] = x; } } __syncthreads(); } data[t] = s[t]; }",
    "// launch: grid=1 block=64
__global__ void bitonic(int *data) { __shared__ int s[64]; unsigned t = threadIdx.x; s[t] = data[t]; __syncthreads();
  for (unsigned k = 2; k <= 64; k <<= 1) for (unsigned j = k >> 1; j > 0; j >>= 1) { unsigned o = t ^ j; if (o > t) { int a = s[t], b = s[o]; if ((t & k) == 0 ? a > b : a < b) { s[t] = b; s[o] = a; } } __syncthreads(); } data[t] = s[t]; }",
];
