// A constant table of OpenCL with rows: all its entries are distinct.
// launch: grid=1 block=64
constant uchar tab[2][2] = {{3, 1}, {2, 0}};
kernel void k(global int *a) {
  int t = get_local_id(0);
  if (t < 4) a[tab[t >> 1][t & 1]] = t;
}
