#include <iconv.h>
#include <unicase.h>
#include <unictype.h>
#include <uninorm.h>
#include <unistr.h>
#include <uniwbrk.h>
#include <uniwidth.h>
#include <unistring/version.h>

/* These are addresses of incomplete structs, which Swift does not import. */
static inline uninorm_t cunistring_nfc(void) { return UNINORM_NFC; }
static inline uninorm_t cunistring_nfd(void) { return UNINORM_NFD; }
static inline uninorm_t cunistring_nfkc(void) { return UNINORM_NFKC; }

/* The version of the library, and so of its tables. Swift does not import it: it could change. */
static inline int cunistring_version(void) { return _libunistring_version; }
