// A ring of 16 items with one producer and one consumer: head and tail order both ways.
// launch: grid=2 block=1 passes=races
__device__ unsigned acq(unsigned *p){unsigned v;asm volatile("ld.acquire.gpu.global.u32 %0, [%1];":"=r"(v):"l"(p):"memory");return v;}
__device__ void rel(unsigned *p,unsigned v){asm volatile("st.release.gpu.global.u32 [%0], %1;"::"l"(p),"r"(v):"memory");}
__global__ void k(int *ring, unsigned *head, unsigned *tail, int *out, int n) {
  if (blockIdx.x == 0) {
    for (unsigned i = 0; i < n; i++) {
      while (i - acq(head) >= 16) {}
      ring[i % 16] = i;
      rel(tail, i + 1);
    }
  } else {
    for (unsigned i = 0; i < n; i++) {
      while (acq(tail) <= i) {}
      out[i] = ring[i % 16];
      rel(head, i + 1);
    }
  }
}
