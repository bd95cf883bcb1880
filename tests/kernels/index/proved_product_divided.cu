// A product is divided again to see whether it overflowed, and where it did, nothing is stored.
// launch: grid=1 block=64
__global__ void k(unsigned *x, unsigned n) {
    unsigned t = threadIdx.x + 1;
    unsigned all = t * n;
    if (all / t == n)
        x[t] = all;
}
