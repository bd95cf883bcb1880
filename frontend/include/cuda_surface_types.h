// Part of what each CUDA file has.
#pragma once
#include "heddle/device.h"
