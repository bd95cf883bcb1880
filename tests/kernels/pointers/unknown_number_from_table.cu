// A number is the address of one argument, or comes from a table of addresses and may be anybody's.
// launch: grid=2 block=64
__global__ void k(int *p, int *q, const unsigned long long *table, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  unsigned long long at = (unsigned long long)p;
  for (int round = 0; round < n; round++)
    at = table[round];
  ((int *)at)[i] = 1;                      // ~ HD0002
  q[i + 1] = 2;
}
