// What a template calls by its name alone, and a base of it has, is checked as it is with `this->`.
// launch: grid=any block=64
struct Codes {
  __device__ static int slot(unsigned long long code) { return int(code & 31); }
};
template <int N> struct List : Codes {
  using Codes::slot;
  unsigned long long entry[N];
};
template <int N> struct Heap : List<N> {
  using List<N>::entry;
  __device__ int place() const { return slot(entry[0]); }
};
__global__ void k(float *p) {
  Heap<4> heap;
  heap.entry[0] = threadIdx.x;
  p[blockIdx.x * 64 + heap.place()] = threadIdx.x; // ~ HD0101
}
