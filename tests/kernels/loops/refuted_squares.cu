// A number that is squared in each round is a place, and the square of two is that of the next round's four.
// launch: grid=1 block=8
__global__ void k(int *x) {
    long long reach = threadIdx.x;
    for (int i = 0; reach > 1 && reach < 1000; i++) {
        x[reach] = i; // ~ HD0101
        reach = reach * reach;
    }
}
