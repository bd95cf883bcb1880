// The last thread of a chunk goes one element too far, into the next block's.
// launch: grid=any block=any
__global__ void chunks(float *a, unsigned n, unsigned per) {
  unsigned begin = blockIdx.x * per;
  for (unsigned i = threadIdx.x; i <= per; i += blockDim.x)
    if (begin + i < n) a[begin + i] = 1.0f + i; // ~ HD0102
}
