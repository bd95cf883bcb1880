// The host computes by instructions that its build asks for by an option, and lets threads store at one place.
// launch: as-launched
#include <immintrin.h>
__global__ void k(float *out, int step) { out[threadIdx.x * step] = threadIdx.x; } // ~ HD0101
void run(float *out, float *numbers) {
  __m256 eight = _mm256_loadu_ps(numbers);
  _mm256_storeu_ps(numbers, _mm256_add_ps(eight, eight));
  k<<<1, 64>>>(out, 0);
}
