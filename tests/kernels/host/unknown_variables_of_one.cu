// Another function of the file stores one address in two variables.
// launch: as-launched passes=races
__global__ void k(int *a, int *b) {
  a[threadIdx.x] = 1; // ~ HD0002
  b[63 - threadIdx.x] = 2;
}

int *first;
int *second;

void begin(int *p) { first = second = p; }

void go() { k<<<1, 64>>>(first, second); }
