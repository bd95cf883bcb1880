// A loop over a private array goes one element too far.
// launch: grid=1 block=32 check-bounds
__global__ void k(int *out) {
  int a[8];
  for (int i = 0; i <= 8; i++)
    a[i] = i; // ~ HD0301
  out[threadIdx.x] = a[threadIdx.x % 8];
}
