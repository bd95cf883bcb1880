// A division by zero would give any number, and no other gives one above 64.
// launch: grid=1 block=64 infer
__global__ void k(int *a, unsigned parts, int first) {
  unsigned each = 64u / parts;
  if (each > 64u)
    a[first] = threadIdx.x;  // ~ HD0002
}
