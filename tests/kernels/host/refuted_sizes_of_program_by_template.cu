// What a template's member is set to comes before or after the other variables, and sets one of them.
// launch: as-launched
int most() { return 256; }
static int n = most();
namespace {
template <class T> struct Set {
  static int value;
};
template <class T> int Set<T>::value = (n = 64);
} // namespace
__global__ void k(int *out, int n) { out[blockIdx.x * n + threadIdx.x] = blockIdx.x; } // ~ HD0102

int main() {
  int *out;
  cudaMalloc(&out, 1 << 16);
  k<<<16, 128>>>(out, n);
  return Set<int>::value;
}
