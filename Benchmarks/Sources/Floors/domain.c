/* domain.c: international domains, through libidn2 alone. */

#include "floors.h"
#include "stop.h"

#include <idn2.h>
#include <string.h>

size_t floor_encode_domain(const char *domain) {
    uint8_t *encoded;
    size_t length;
    REQUIRE(idn2_lookup_u8((const uint8_t *)domain, &encoded, IDN2_NONTRANSITIONAL) == IDN2_OK);
    length = strlen((const char *)encoded);
    idn2_free(encoded);
    return length;
}
