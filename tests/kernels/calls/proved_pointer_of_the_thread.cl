// A pointer without an address space is handed on as one to private memory: OpenCL C 1.2.
// launch: grid=2 block=64
void square(unsigned int digits[4]) { digits[0] *= digits[0]; }

void both(unsigned int *out) { square(out); }

__kernel void squares(__global unsigned int *out) {
  unsigned int digits[4];
  digits[0] = get_global_id(0);
  both(digits);
  out[get_global_id(0)] = digits[0];
}
