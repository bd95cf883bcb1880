// All of it is in the header that each file starts with.
#pragma once
#include "heddle/device.h"
