// Each thread has a place of its own, whether or not it reads an element.
// launch: grid=1 block=32
__global__ void k(int *x, int n, const int *t) {
  int at = threadIdx.x;
  if (n >= 0 && n < 21475)
    at = threadIdx.x * 100 + (t[n & 7] & 31);
  x[at] = threadIdx.x;
}
