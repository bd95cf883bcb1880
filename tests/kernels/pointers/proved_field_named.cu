// Two pointers of a structure passed by value may be one: the answer names that it takes them for two.
// launch: grid=1 block=64
struct Pair { int *a; int *b; };
__global__ void k(Pair p) {
  int t = threadIdx.x;
  p.a[t] = t;
  p.b[(t + 1) & 63] = 2 * t;
}
