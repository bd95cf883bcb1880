// SipHash-2-4 of the bytes 00 to 0e under the key 00 to 0f (a129ca6149be45e5, the paper's appendix A).
// run: grid=1 block=1 gives 49be45e5 a129ca61
typedef unsigned long long u64;
__device__ u64 turned(u64 x, int n) { return x << n | x >> (64 - n); }

__global__ void siphash(unsigned *out) {
  u64 low = 0x0706050403020100ull, high = 0x0f0e0d0c0b0a0908ull;
  u64 v[4] = {low ^ 0x736f6d6570736575ull, high ^ 0x646f72616e646f6dull, low ^ 0x6c7967656e657261ull, high ^ 0x7465646279746573ull};
  u64 words[2] = {low, 0x0f0e0d0c0b0a0908ull};
  for (int step = 0; step < 3; step++) {
    if (step < 2) v[3] ^= words[step];
    else v[2] ^= 255;
    for (int round = 0; round < (step < 2 ? 2 : 4); round++) {
      v[0] += v[1], v[1] = turned(v[1], 13) ^ v[0], v[0] = turned(v[0], 32);
      v[2] += v[3], v[3] = turned(v[3], 16) ^ v[2];
      v[0] += v[3], v[3] = turned(v[3], 21) ^ v[0];
      v[2] += v[1], v[1] = turned(v[1], 17) ^ v[2], v[2] = turned(v[2], 32);
    }
    if (step < 2) v[0] ^= words[step];
  }
  u64 hash = v[0] ^ v[1] ^ v[2] ^ v[3];
  out[0] = (unsigned)hash;
  out[1] = (unsigned)(hash >> 32);
}
