// What a sequence lock guards is read and written by relaxed atomics.
// launch: grid=2 block=1 passes=races
__device__ int rlx(int *p){int v;asm volatile("ld.relaxed.gpu.global.s32 %0, [%1];":"=r"(v):"l"(p):"memory");return v;}
__device__ void wlx(int *p,int v){asm volatile("st.relaxed.gpu.global.s32 [%0], %1;"::"l"(p),"r"(v):"memory");}
__global__ void k(int *data, int *seq, int *out, int n) {
  if (blockIdx.x == 0) {
    for (int i = 0; i < n; i++) {
      wlx(seq, 2 * i + 1); __threadfence();
      wlx(&data[0], i); wlx(&data[1], i);
      __threadfence(); wlx(seq, 2 * i + 2);
    }
  } else {
    int s; int a, b;
    do { while ((s = rlx(seq)) & 1) {} __threadfence(); a = rlx(&data[0]); b = rlx(&data[1]); __threadfence(); } while (rlx(seq) != s);
    out[0] = a; out[1] = b;
  }
}
