// A program-scope variable of OpenCL is 5 in the first launch; only an earlier launch of something else could make it 7.
// launch: grid=1 block=64
global int mode = 5;
kernel void k(global int *a) {
  if (mode == 7) a[0] = get_local_id(0); // ~ HD0002
}
