// A table of pointers leads to private variables: a store through it changes one of them in some work items only.
// launch: grid=1 block=64
kernel void k(global int *out) {
  int t = get_local_id(0);
  int a = 0, b = 1;
  private int *private table[2] = {&a, &b};
  *table[t & 1] = t;
  if (a == t)
    out[0] = t + b; // ~ HD0002
}
