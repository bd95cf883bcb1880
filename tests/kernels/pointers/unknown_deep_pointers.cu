// A node is written while another thread may read it as the next of its own.
// launch: grid=2 block=64
struct Node {
    Node *next;
    int value;
};

__global__ void k(int *x, Node **nodes) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] = nodes[i]->next->value; // ~ HD0002
    nodes[i]->value = i;
}
