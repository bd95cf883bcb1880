// The first member of a structure by value is 5, read by number or by index.
// launch: grid=1 block=64
struct P { int at[4]; };
__global__ void k(int *a, P p, int zero) {
  if (p.at[0] == 5 && zero == 0 && p.at[zero] == 7) a[0] = threadIdx.x;
}
