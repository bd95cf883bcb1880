// The second digit is taken by another factor than the product has.
// launch: grid=any block=any assume="a > 0 && b > 0"
__global__ void k(int *out, int a, int b, int c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= a * b * c)
    return;
  int x = i % a, y = i / a % (b + 1), z = i / (a * b);
  out[(z * b + y) * a + x] = i; // ~ HD0101
}
