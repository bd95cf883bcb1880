// Each block has a chunk of so many elements, and sizes without a sign below 2^31 keep chunks apart.
// launch: grid=any block=any
__global__ void chunks(float *a, unsigned n, unsigned per) {
  unsigned begin = blockIdx.x * per;
  for (unsigned i = threadIdx.x; i < per; i += blockDim.x)
    if (begin + i < n) a[begin + i] = 1.0f + i;
}

struct Sizes {
  int kind;
  unsigned per, n;
};

__global__ void chunks_of_members(float *a, Sizes sizes) {
  unsigned begin = blockIdx.x * sizes.per;
  for (unsigned i = threadIdx.x; i < sizes.per; i += blockDim.x)
    if (begin + i < sizes.n) a[begin + i] = 1.0f + i;
}

__global__ void chunks_of_64_bits(float *a, size_t per, size_t n) {
  size_t begin = blockIdx.x * per;
  for (size_t i = threadIdx.x; i < per; i += blockDim.x)
    if (begin + i < n) a[begin + i] = 1.0f + i;
}
