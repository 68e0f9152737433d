#include <iconv.h>
#include <idn2.h>
#include <unicase.h>
#include <unictype.h>
#include <uninorm.h>
#include <unistr.h>
#include <uniwidth.h>

/* UNINORM_NFC is the address of an incomplete struct, which Swift does not import. */
static inline uninorm_t cidn_nfc(void) { return UNINORM_NFC; }
