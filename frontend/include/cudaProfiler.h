// The driver's side.
#pragma once
#include "cuda.h"
