// The header stands on its own in C++11, and its functions have C linkage.

#include <kinfolk.h>

#include <kinfolk.h>

extern const kinfolk_open_options header_cxx11_options;
const kinfolk_open_options header_cxx11_options = KINFOLK_OPEN_OPTIONS_INIT;

extern "C" {
typedef kinfolk_status (*open_function)(const char *, const kinfolk_open_options *, kinfolk_service **);
}
extern const open_function header_cxx11_open;
const open_function header_cxx11_open = kinfolk_service_open;
