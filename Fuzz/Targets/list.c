/* Addresses and hashes, one a line: kinfolk_contacts_add_text. */

#include "import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    check_import(kinfolk_contacts_add_text, data, size);
    return 0;
}
