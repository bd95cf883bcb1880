// A block of ChaCha20 (RFC 8439, section 2.3.2): four threads, each a column, then a diagonal.
// run: grid=1 block=32 gives e4e7f110 15593bd1 1fdd0f50 c47120a3 c7f4d1c7 0368c033 9aaa2204 4e6cd4c3 466482d2 09aa9f07 05d7c214 a2028bd9 d19c12b5 b94e16de e883d0cb 4e3c50a2
__device__ void quarter(unsigned &a, unsigned &b, unsigned &c, unsigned &d) {
  a += b, d ^= a, d = __funnelshift_l(d, d, 16);
  c += d, b ^= c, b = __funnelshift_l(b, b, 12);
  a += b, d ^= a, d = __funnelshift_l(d, d, 8);
  c += d, b ^= c, b = __funnelshift_l(b, b, 7);
}

__global__ void chacha20(unsigned *out) {
  __shared__ unsigned state[16];
  int t = threadIdx.x;
  unsigned start = 0;
  if (t < 16) {
    unsigned words[4] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574}, rest[4] = {1, 0x09000000, 0x4a000000, 0};
    start = t < 4 ? words[t] : t < 12 ? (t - 4) * 0x04040404u + 0x03020100u : rest[t - 12];
    state[t] = start;
  }
  __syncwarp();
  for (int round = 0; round < 10; round++) {
    if (t < 4) quarter(state[t], state[4 + t], state[8 + t], state[12 + t]);
    __syncwarp();
    if (t < 4) quarter(state[t], state[4 + (t + 1) % 4], state[8 + (t + 2) % 4], state[12 + (t + 3) % 4]);
    __syncwarp();
  }
  if (t < 16) out[t] = state[t] + start;
}
