#ifndef CKINFOLK_OPTIONS_H
#define CKINFOLK_OPTIONS_H

#include "../../Include/kinfolk.h"

/* How many bytes of kinfolk_open_options a caller of that version has; 0 if there is no such version. */
size_t ckinfolk_options_length(uint32_t version);

#endif
