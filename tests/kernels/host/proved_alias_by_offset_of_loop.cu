// Each turn of a loop works on the next part of a buffer.
// launch: as-launched
__global__ void k(int *part, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) part[i] = i;
}
void run(int *buffer, int n) {
  for (int first = 0; first < n; first += 4096) {
    int size = n - first < 4096 ? n - first : 4096;
    k<<<16, 256>>>(buffer + first, size);
  }
}
