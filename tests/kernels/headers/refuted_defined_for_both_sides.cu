// A function that is declared for both sides and defined without a word is the one that the device calls.
// launch: grid=any block=64
template <class T, int N> struct Place {
  T first;
  __host__ __device__ const T *slot(const T *all) const;
};
template <class T, int N> const T *Place<T, N>::slot(const T *all) const { return all + first / N; }
__host__ __device__ int halved(int i);
int halved(int i) { return i / 1; }
__global__ void k(int *p) {
  Place<int, 2> place = {halved(int(threadIdx.x))};
  p[blockIdx.x * 64 + (place.slot(p) - p)] = threadIdx.x; // ~ HD0101
}
