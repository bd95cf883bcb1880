// The program asks whether its product overflows, and all threads with one that does store to one place.
// launch: grid=1 block=64
__global__ void k(int *x, int n) {
    int t = threadIdx.x, place;
    if (__builtin_mul_overflow(t, n, &place))
        x[0] = t; // ~ HD0101
    else
        x[t] = place;
}
