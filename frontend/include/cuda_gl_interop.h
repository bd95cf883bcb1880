// Buffers and images of OpenGL, as declarations for host code.
#pragma once
#include "heddle/device.h"

typedef unsigned int GLuint;
typedef unsigned int GLenum;
enum cudaGLDeviceList { cudaGLDeviceListAll = 1, cudaGLDeviceListCurrentFrame, cudaGLDeviceListNextFrame };
extern "C" {
cudaError_t cudaGLGetDevices(unsigned int *, int *, unsigned int, cudaGLDeviceList);
cudaError_t cudaGraphicsGLRegisterBuffer(cudaGraphicsResource **, GLuint, unsigned int);
cudaError_t cudaGraphicsGLRegisterImage(cudaGraphicsResource **, GLuint, GLenum, unsigned int);
cudaError_t cudaGLSetGLDevice(int);
cudaError_t cudaGLRegisterBufferObject(GLuint);
cudaError_t cudaGLUnregisterBufferObject(GLuint);
cudaError_t cudaGLMapBufferObject(void **, GLuint);
cudaError_t cudaGLUnmapBufferObject(GLuint);
}
