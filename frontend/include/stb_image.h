// A reader of images in one file (stb_image), as declarations for host code. Its bodies, where
// `STB_IMAGE_IMPLEMENTATION` asks for them, have no kernels.
#pragma once
#include <stdio.h>

enum { STBI_default = 0, STBI_grey, STBI_grey_alpha, STBI_rgb, STBI_rgb_alpha };
typedef unsigned char stbi_uc;
typedef unsigned short stbi_us;

#ifdef __cplusplus
extern "C" {
#endif
stbi_uc *stbi_load(char const *, int *, int *, int *, int);
stbi_uc *stbi_load_from_memory(stbi_uc const *, int, int *, int *, int *, int);
stbi_uc *stbi_load_from_file(FILE *, int *, int *, int *, int);
stbi_us *stbi_load_16(char const *, int *, int *, int *, int);
float *stbi_loadf(char const *, int *, int *, int *, int);
float *stbi_loadf_from_memory(stbi_uc const *, int, int *, int *, int *, int);
int stbi_is_hdr(char const *);
int stbi_info(char const *, int *, int *, int *);
const char *stbi_failure_reason(void);
void stbi_image_free(void *);
void stbi_set_flip_vertically_on_load(int);
void stbi_ldr_to_hdr_gamma(float);
void stbi_ldr_to_hdr_scale(float);
void stbi_hdr_to_ldr_gamma(float);
void stbi_hdr_to_ldr_scale(float);
#ifdef __cplusplus
}
#endif
