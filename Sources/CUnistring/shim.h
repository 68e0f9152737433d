#include <iconv.h>
#include <unicase.h>
#include <unictype.h>
#include <uninorm.h>
#include <unistr.h>
#include <uniwbrk.h>
#include <uniwidth.h>

/* These are addresses of incomplete structs, which Swift does not import. */
static inline uninorm_t cunistring_nfc(void) { return UNINORM_NFC; }
static inline uninorm_t cunistring_nfd(void) { return UNINORM_NFD; }
static inline uninorm_t cunistring_nfkc(void) { return UNINORM_NFKC; }
