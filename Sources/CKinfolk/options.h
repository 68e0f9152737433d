#ifndef CKINFOLK_OPTIONS_H
#define CKINFOLK_OPTIONS_H

#include "../../Include/kinfolk.h"

/* The size of kinfolk_open_options in bytes for a caller of this version; 0 for an unknown version. */
size_t ckinfolk_options_length(uint32_t version);

#endif
