// Another function of the file shifts the address of one variable to the other, and back what it has then.
// launch: as-launched passes=races
__global__ void k(int *a, int *b) {
  a[threadIdx.x] = 1; // ~ HD0002
  b[63 - threadIdx.x] = 2;
}

int *first;
int *second;

void begin() {
  cudaMalloc(&first, 256);
  cudaMalloc(&second, 256);
}

void turn() {
  second = first;
  first = second;
}

void go() { k<<<1, 64>>>(first, second); }
