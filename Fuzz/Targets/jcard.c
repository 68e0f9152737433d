/* jCards: kinfolk_contacts_add_jcard. */

#include "import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    check_import(kinfolk_contacts_add_jcard, data, size);
    return 0;
}
