// Half of a structure is an empty member, for which the host passes nothing: the step is 0.
// launch: as-launched
struct Next {
  __device__ int operator()(int a) const { return a + 1; }
};
struct Tag {
  bool fast;
};
struct Steps {
  long step;
  Next next;
};
__global__ void k(int *out, Tag tag, Steps s) {
  out[s.step * threadIdx.x] = s.next(threadIdx.x); // ~ HD0101
}
int main() {
  int *out;
  cudaMalloc(&out, 4096);
  k<<<1, 64>>>(out, Tag{true}, Steps{0, Next{}});
}
