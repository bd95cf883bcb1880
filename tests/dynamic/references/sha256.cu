// SHA-256 of "abc" (FIPS 180-4, example B.1). Threads make the constants: cube roots of primes, by whole numbers.
// run: grid=1 block=64 gives ba7816bf 8f01cfea 414140de 5dae2223 b00361a3 96177a9c b410ff61 f20015ad
__device__ unsigned turned(unsigned x, int n) { return __funnelshift_r(x, x, n); }

__global__ void sha256(unsigned *out) {
  __shared__ unsigned constants[64], words[64];
  int t = threadIdx.x, prime = 2;
  for (int found = 0, p = 2;; p++) {
    bool divides = false;
    for (int d = 2; d * d <= p; d++) divides |= p % d == 0;
    if (!divides && found++ == t) {
      prime = p;
      break;
    }
  }
  // The fraction of the root: the greatest r with r^3 <= p * 2^96, by its lowest 32 bits.
  unsigned long long root = 0;
  for (int bit = 35; bit >= 0; bit--) {
    unsigned long long next = root | 1ull << bit;
    unsigned __int128 square = (unsigned __int128)next * next;
    // next^3 <= p * 2^96, without the 128th bit: next^2 <= p * 2^96 / next.
    unsigned __int128 limit = ((unsigned __int128)prime << 96) / next;
    if (square <= limit) root = next;
  }
  constants[t] = (unsigned)root;
  if (t < 16) words[t] = t == 0 ? 0x61626380u : t == 15 ? 24 : 0;
  __syncthreads();
  if (t != 0) return;
  for (int i = 16; i < 64; i++) {
    unsigned a = words[i - 15], b = words[i - 2];
    words[i] = words[i - 16] + (turned(a, 7) ^ turned(a, 18) ^ a >> 3) + words[i - 7] + (turned(b, 17) ^ turned(b, 19) ^ b >> 10);
  }
  unsigned start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  unsigned s[8];
  for (int i = 0; i < 8; i++) s[i] = start[i];
  for (int i = 0; i < 64; i++) {
    unsigned one = s[7] + (turned(s[4], 6) ^ turned(s[4], 11) ^ turned(s[4], 25)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) + constants[i] + words[i];
    unsigned two = (turned(s[0], 2) ^ turned(s[0], 13) ^ turned(s[0], 22)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
    for (int k = 7; k > 0; k--) s[k] = s[k - 1];
    s[4] += one;
    s[0] = one + two;
  }
  for (int i = 0; i < 8; i++) out[i] = start[i] + s[i];
}
