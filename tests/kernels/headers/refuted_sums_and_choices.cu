// CUDA's DPX functions compute what they say: a sum, the larger and the smaller of two and of three.
// launch: grid=any block=64
__global__ void k(int *p) {
  int i = threadIdx.x;
  bool first;
  int larger = __vibmax_s32(i, -1, &first);
  int held = __vimin3_s32(larger, 100, __viaddmax_s32_relu(larger, -100, -5) + 62);
  unsigned both = __viaddmax_s16x2(held, 0x00010000, 0x00000000);
  p[blockIdx.x * 64 + __vimax_s32_relu(int(both & 0xffff), -7)] = i; // ~ HD0101
}
