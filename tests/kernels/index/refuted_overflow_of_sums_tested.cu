// Tests for overflow of sums of three terms, of a sum that a loop adds up, and of a size that is rounded up.
// launch: grid=1 block=64
__global__ void three(int *a, unsigned n) {
  unsigned i = threadIdx.x, sum = i + n + 5;
  a[sum < n ? 0 : i] = i; // ~ HD0101
}

__global__ void adds_up(int *a, unsigned n) {
  unsigned sum = 0;
  bool wraps = false;
  for (int round = 0; round < 8; round++) {
    unsigned next = sum + n;
    wraps |= next < sum;
    sum = next;
  }
  a[wraps ? 0 : threadIdx.x] = threadIdx.x; // ~ HD0101
}

__global__ void rounds_up(int *a, unsigned n) {
  unsigned whole = (n + 255) / 256 * 256;
  a[whole < n ? 0 : threadIdx.x] = threadIdx.x; // ~ HD0101
}
