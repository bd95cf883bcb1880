// A structure of two empty members is passed as nothing, and the tag after the step as a byte: the step is 0.
// launch: as-launched
struct Next {
  __device__ int operator()(int a) const { return a + 1; }
};
struct Twice {
  Next first, second;
};
struct Tag {
  bool fast;
};
__global__ void k(int *out, Twice f, char step, Tag tag) {
  out[step * threadIdx.x] = f.first(f.second(threadIdx.x)); // ~ HD0101
}
int main() {
  int *out;
  cudaMalloc(&out, 4096);
  k<<<1, 64>>>(out, Twice{}, 0, Tag{true});
}
