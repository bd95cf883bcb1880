// An aligned address of dynamic shared memory is put into global memory, through a mask and as a member of a structure.
// launch: grid=1 block=64
struct Span {
  int *first;
  int *last;
};
extern __shared__ int memory[];
__global__ void k(Span *spans, int *out) {
  int *aligned = (int *)(((size_t)memory + 127) & ~(size_t)127);
  if (threadIdx.x == 0)
    spans[0] = Span{aligned, aligned + 64};
  __syncthreads();
  int *found = spans[0].first;
  __syncthreads();
  if (threadIdx.x == 40)
    found[3] = 1;  // ~ HD0002
  if (threadIdx.x == 2)
    out[0] = aligned[3];
}
