// One thread per block counts into global bins that two blocks may share.
// launch: grid=8 block=1
__global__ void k(const int *in, int *hist) {
  hist[in[blockIdx.x] & 15] += 1;   // ~ HD0102
}
