// One pointer of a structure, with two indices that meet.
// launch: grid=1 block=64
struct Pair { int *a; int *b; };
__global__ void k(Pair p) {
  int t = threadIdx.x;
  p.a[t] = t;   // ~ HD0101
  p.a[(t + 1) & 63] = 2 * t;
}
