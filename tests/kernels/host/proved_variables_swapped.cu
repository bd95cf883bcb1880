// Another function of the file swaps the addresses of two variables.
// launch: as-launched passes=races
__global__ void k(int *a, int *b) {
  a[threadIdx.x] = 1;
  b[63 - threadIdx.x] = 2;
}

int *first;
int *second;

void begin() {
  cudaMalloc(&first, 256);
  cudaMalloc(&second, 256);
}

void turn() {
  int *third = first;
  first = second;
  second = third;
}

void go() { k<<<1, 64>>>(first, second); }
