// Groups by labels.
#pragma once
#include "../../cooperative_groups.h"
