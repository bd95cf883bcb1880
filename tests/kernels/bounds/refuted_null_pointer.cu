// A pointer is null where a thread writes through it.
// launch: grid=1 block=32 passes=bounds
struct Node {
  int value, weight;
};
__global__ void k(int *out, int n) {
  __shared__ Node node;
  Node *at = n > 0 ? &node : nullptr;
  if (threadIdx.x == 0)
    at->weight = n; // ~ HD0301
}
