// Where sums wrap around, as is tested, each thread stores somewhere else, and still to an element of its own.
// launch: grid=1 block=64
__global__ void three(int *a, unsigned n) {
  unsigned i = threadIdx.x, sum = i + n + 5;
  a[sum < n ? 64 + i : i] = i;
}

__global__ void adds_up(int *a, unsigned n) {
  unsigned sum = 0;
  bool wraps = false;
  for (int round = 0; round < 8; round++) {
    unsigned next = sum + n;
    wraps |= next < sum;
    sum = next;
  }
  a[wraps ? 64 + threadIdx.x : threadIdx.x] = threadIdx.x;
}

__global__ void rounds_up(int *a, unsigned n) {
  unsigned whole = (n + 255) / 256 * 256;
  a[whole < n ? 64 + threadIdx.x : threadIdx.x] = threadIdx.x;
}
