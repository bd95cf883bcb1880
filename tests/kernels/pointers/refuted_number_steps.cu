// A number is the address of one argument, moved on by less than a row in each round.
// launch: grid=2 block=64
__global__ void k(int *p, int *q, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  unsigned long long at = (unsigned long long)p;
  for (int round = 0; round < n; round++) {
    ((int *)at)[i] = i;                    // ~ HD0101
    at += 128;
  }
  q[i] = 2;
}
