// Marks for profilers, as declarations.
#pragma once
#include "heddle/words.h"

#define NVTX_VERSION 3
typedef unsigned long long nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st *nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st *nvtxStringHandle_t;
typedef struct nvtxResourceHandle *nvtxResourceHandle_t;
enum nvtxColorType_t { NVTX_COLOR_UNKNOWN, NVTX_COLOR_ARGB };
enum nvtxMessageType_t {
  NVTX_MESSAGE_UNKNOWN,
  NVTX_MESSAGE_TYPE_ASCII,
  NVTX_MESSAGE_TYPE_UNICODE,
  NVTX_MESSAGE_TYPE_REGISTERED
};
enum nvtxPayloadType_t {
  NVTX_PAYLOAD_UNKNOWN,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT64,
  NVTX_PAYLOAD_TYPE_INT64,
  NVTX_PAYLOAD_TYPE_DOUBLE,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT32,
  NVTX_PAYLOAD_TYPE_INT32,
  NVTX_PAYLOAD_TYPE_FLOAT
};
union nvtxMessageValue_t {
  const char *ascii;
  const wchar_t *unicode;
  nvtxStringHandle_t registered;
};
struct nvtxEventAttributes_v2 {
  unsigned short version, size;
  unsigned int category;
  int colorType;
  unsigned int color;
  int payloadType, reserved0;
  union payload_t {
    unsigned long long ullValue;
    long long llValue;
    double dValue;
    unsigned int uiValue;
    int iValue;
    float fValue;
  } payload;
  int messageType;
  nvtxMessageValue_t message;
};
typedef nvtxEventAttributes_v2 nvtxEventAttributes_t;
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((unsigned short)sizeof(nvtxEventAttributes_t))
#define NVTX_NO_PUSH_POP_TRACKING ((int)-2)
// What takes a text takes it in two encodings.
#define HEDDLE_NVTX(_R, name, ...)                                                                                     \
  _R name##A(__VA_ARGS__ const char *);                                                                                \
  _R name##W(__VA_ARGS__ const wchar_t *);
extern "C" {
void nvtxInitialize(const void *);
HEDDLE_NVTX(void, nvtxMark)
HEDDLE_NVTX(int, nvtxRangePush)
HEDDLE_NVTX(nvtxRangeId_t, nvtxRangeStart)
HEDDLE_NVTX(nvtxDomainHandle_t, nvtxDomainCreate)
HEDDLE_NVTX(nvtxStringHandle_t, nvtxDomainRegisterString, nvtxDomainHandle_t,)
HEDDLE_NVTX(void, nvtxDomainNameCategory, nvtxDomainHandle_t, unsigned int,)
HEDDLE_NVTX(void, nvtxNameCategory, unsigned int,)
HEDDLE_NVTX(void, nvtxNameOsThread, unsigned int,)
HEDDLE_NVTX(void, nvtxNameCudaStream, struct CUstream_st *,)
HEDDLE_NVTX(void, nvtxNameCudaEvent, struct CUevent_st *,)
HEDDLE_NVTX(void, nvtxNameCudaDevice, int,)
void nvtxMarkEx(const nvtxEventAttributes_t *);
int nvtxRangePushEx(const nvtxEventAttributes_t *);
int nvtxRangePop();
nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t *);
void nvtxRangeEnd(nvtxRangeId_t);
void nvtxDomainDestroy(nvtxDomainHandle_t);
void nvtxDomainMarkEx(nvtxDomainHandle_t, const nvtxEventAttributes_t *);
int nvtxDomainRangePushEx(nvtxDomainHandle_t, const nvtxEventAttributes_t *);
int nvtxDomainRangePop(nvtxDomainHandle_t);
nvtxRangeId_t nvtxDomainRangeStartEx(nvtxDomainHandle_t, const nvtxEventAttributes_t *);
void nvtxDomainRangeEnd(nvtxDomainHandle_t, nvtxRangeId_t);
}
#undef HEDDLE_NVTX
#define nvtxMark nvtxMarkA
#define nvtxRangePush nvtxRangePushA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxDomainCreate nvtxDomainCreateA
#define nvtxDomainRegisterString nvtxDomainRegisterStringA
#define nvtxDomainNameCategory nvtxDomainNameCategoryA
#define nvtxNameCategory nvtxNameCategoryA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxNameCudaStream nvtxNameCudaStreamA
#define nvtxNameCudaEvent nvtxNameCudaEventA
#define nvtxNameCudaDevice nvtxNameCudaDeviceA
