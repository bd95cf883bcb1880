// Two parts of one buffer that lies in a variable of the program, the second one after the first.
// launch: as-launched
int *buffer;
__global__ void k(int *a, int *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    a[i] = 1;
    b[n - 1 - i] = i;
  }
}
void run(int n) { k<<<(n + 63) / 64, 64>>>(buffer, buffer + n, n); }
