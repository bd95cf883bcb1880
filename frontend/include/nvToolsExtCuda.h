// Marks for profilers.
#pragma once
#include "nvToolsExt.h"
