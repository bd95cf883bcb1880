// The first member of a structure by value is 5, and so is what the index reads.
// launch: grid=1 block=64
struct P { int at[4]; };
__global__ void k(int *a, P p, int zero) {
  if (p.at[0] == 5 && zero == 0 && p.at[zero] == 5) a[0] = threadIdx.x; // ~ HD0101
}
