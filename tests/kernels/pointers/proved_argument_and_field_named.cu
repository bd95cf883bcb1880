// An argument and a pointer of a structure may be one: the answer names that it takes them for two.
// launch: grid=1 block=64
struct Pair { int *a; int *b; };
__global__ void k(int *p, Pair q) {
  int t = threadIdx.x;
  p[t] = t;
  q.a[(t + 1) & 63] = 2 * t;
}
