// A binary search stays inside: where both ends are is found.
// launch: grid=1 block=64 size=in=n size=out=64
__global__ void k(int *out, const int *in, int n, int key) {
  int low = 0, high = n;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (in[middle] < key) low = middle + 1;
    else high = middle;
  }
  out[threadIdx.x] = low;
}
