// Two halves of one buffer that lies in a variable of the program: the second one is read from where the first one goes on.
// launch: as-launched
int *buffer;
__global__ void k(int *a, int *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    a[i] = 1;  // ~ HD0101
    b[n - 1 - i] = i;
  }
}
void run(int n) { k<<<(n + 63) / 64, 64>>>(buffer, buffer + n / 2, n); }
