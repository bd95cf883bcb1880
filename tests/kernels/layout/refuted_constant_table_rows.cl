// A constant table of OpenCL with rows: one entry is in both.
// launch: grid=1 block=64
constant uchar tab[2][2] = {{3, 1}, {1, 0}};
kernel void k(global int *a) {
  int t = get_local_id(0);
  if (t < 4) a[tab[t >> 1][t & 1]] = t; // ~ HD0101
}
