// Bytes that differ by a constant of 128, the number of items.
// launch: grid=1 block=128
kernel void bytes(global int *g) {
  uint t = get_local_id(0);
  uchar2 v = (uchar2)((uchar)t) + (uchar2)(200, 72);
  g[v.x] = t;
  g[v.y] = t + 1;
}
