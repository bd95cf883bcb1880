// A copy of two structures by each thread reaches into the structure of the next thread.
// launch: grid=1 block=64
struct Point { int x, y, z; };
struct Pair { Point a, b; };
__global__ void k(const Pair *in, Point *out) {
  int t = threadIdx.x;
  *(Pair *)(out + t) = in[t];   // ~ HD0101
}
