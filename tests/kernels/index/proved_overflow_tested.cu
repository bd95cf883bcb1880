// The program asks whether its product overflows, and threads store to their own places either way.
// launch: grid=1 block=64
__global__ void k(int *x, int n) {
    int t = threadIdx.x, place;
    if (__builtin_mul_overflow(t, n, &place))
        x[t + 64] = t;
    else
        x[t] = place;
}
