// Another function of the file copies one variable's address to the other.
// launch: as-launched passes=races
__global__ void k(int *a, int *b) {
  a[threadIdx.x] = 1; // ~ HD0002
  b[63 - threadIdx.x] = 2;
}

int *first;
static int *second;

void begin() {
  cudaMalloc(&first, 256);
  second = first;
}

void go() { k<<<1, 64>>>(first, second); }
