// A division by a number that is not zero gives at most 64.
// launch: grid=1 block=64 assume="parts >= 1"
__global__ void k(int *a, unsigned parts, int first) {
  unsigned each = 64u / parts;
  if (each > 64u)
    a[first] = threadIdx.x;
}
