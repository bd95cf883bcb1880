// Rows and columns by global ids: each element has one work-item, whatever the offset in y.
// launch: grid=4,4 block=8,8 global-offset=0,8
kernel void k(global int *p) {
  int row = get_global_id(1), column = get_global_id(0);
  p[row * 32 + column] = p[row * 32 + column] + 1;
}
