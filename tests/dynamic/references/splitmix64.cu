// The first numbers of SplitMix64 from 1234567 (6457827717110365317 and 3203168211198807973, as published with the generator).
// run: grid=1 block=2 gives fb08fc85 599ed017 58540fa5 2c73f084
__global__ void splitmix64(unsigned *out) {
  unsigned long long z = 1234567 + (threadIdx.x + 1) * 0x9e3779b97f4a7c15ull;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ z >> 27) * 0x94d049bb133111ebull;
  z ^= z >> 31;
  out[threadIdx.x * 2] = (unsigned)z;
  out[threadIdx.x * 2 + 1] = (unsigned)(z >> 32);
}
