// A member of the host that lacks the `return` of its reference, and rows that are wide enough after it.
// launch: as-launched
struct Log {
  int lines;
  Log &note(int more) { lines += more; }
};
__global__ void k(int *out, int n) { out[blockIdx.x * n + threadIdx.x] = blockIdx.x; }

int main(int argc, char **argv) {
  int *out, n = 256;
  Log log = {0};
  cudaMalloc(&out, 1 << 16);
  if (argc > 1) {
    log.note(argc);
    n = 128;
  }
  k<<<16, 128>>>(out, n);
}
