/*
 * Addresses: a canonical address is its own canonical form, is short, and has the hash that docs/canonical-email.md defines.
 * White space around an address and the case of its ASCII letters do not matter.
 */

#include "fuzz.h"

#include <sodium.h>

static char *canonical(const char *email) {
    char *text = NULL;
    kinfolk_status status = kinfolk_email_canonicalize(email, &text);
    if (status == KINFOLK_OK) return text;
    FAILED(status, KINFOLK_INVALID_ARGUMENT, KINFOLK_INVALID_ARGUMENT);
    HOLDS(text == NULL);
    return NULL;
}

static void check_form(const char *text) {
    const char *at = strrchr(text, '@'), *c;
    HOLDS(strlen(text) <= 254 && is_one_line(text));
    HOLDS(at != NULL && at > text && at - text <= 64 && at[1] != '\0');
    for (c = text; *c != '\0'; c++) HOLDS(*c != ' ' && !(*c >= 'A' && *c <= 'Z'));
    for (c = at + 1; *c != '\0'; c++)
        HOLDS((*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9') || *c == '-' || *c == '.');
}

static void check_same(const char *wanted, char *got) {
    HOLDS((wanted == NULL) == (got == NULL));
    if (wanted != NULL) HOLDS(strcmp(wanted, got) == 0);
    kinfolk_free(got);
}

static void check_hash(const char *email, const char *text) {
    uint8_t hash[KINFOLK_CONTACT_HASH_LENGTH], wanted[KINFOLK_CONTACT_HASH_LENGTH];
    kinfolk_contacts *book = NULL;
    kinfolk_status status = kinfolk_email_hash(email, hash);
    OK(kinfolk_contacts_new(&book));
    HOLDS((status == KINFOLK_OK) == (text != NULL));
    HOLDS((kinfolk_contacts_add_email(book, email, NULL) == KINFOLK_OK) == (text != NULL));
    if (text != NULL) {
        crypto_hash_sha256(wanted, (const unsigned char *)text, strlen(text));
        HOLDS(memcmp(hash, wanted, sizeof hash) == 0);
        OK(kinfolk_contacts_get_hash(book, 0, hash));
        HOLDS(memcmp(hash, wanted, sizeof hash) == 0);
    }
    kinfolk_contacts_free(book);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    input in = { data, size };
    char *email = take_rest(&in), *text = canonical(email), *other = malloc(size + 8);
    size_t i;
    if (other == NULL) abort();
    check_hash(email, text);
    if (text != NULL) {
        check_form(text);
        check_same(text, canonical(text));
    }
    if (strlen(email) < 1000) { /* with spaces a longer one might be too long */
        sprintf(other, " \t%s\r\n", email);
        check_same(text, canonical(other));
    }
    strcpy(other, email);
    for (i = 0; other[i] != '\0'; i++)
        if ((other[i] >= 'a' && other[i] <= 'z') || (other[i] >= 'A' && other[i] <= 'Z')) other[i] ^= 0x20;
    check_same(text, canonical(other));
    kinfolk_free(text);
    free(other);
    free(email);
    return 0;
}
