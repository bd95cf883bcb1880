// A number is divided by a product, and by its factors one after the other: the digits are the same.
// launch: grid=any block=any assume="a > 0 && b > 0"
__global__ void k(int *out, int a, int b, int c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= a * b * c)
    return;
  int x = i % a, y = i / a % b, z = i / (a * b);
  out[(z * b + y) * a + x] = i;
}
