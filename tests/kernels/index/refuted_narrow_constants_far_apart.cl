// Bytes that differ by constants of more than 127: item 0 by the first and item 100 by the second meet.
// launch: grid=1 block=128
kernel void bytes(global int *g) {
  uint t = get_local_id(0);
  uchar2 v = (uchar2)((uchar)t) + (uchar2)(200, 100);
  g[v.x] = t;   // ~ HD0101
  g[v.y] = t + 1;
}
kernel void shorts(global int *g) {
  uint t = get_local_id(0);
  ushort2 v = (ushort2)((ushort)t) + (ushort2)(0x8000, 0x7fc0);
  g[v.x] = t;   // ~ HD0101
  g[v.y] = t + 1;
}
