/* address.c: canonical e-mail addresses, only ASCII. The checks are those of docs/canonical-email.md. */

#include "address.h"

#include <string.h>

enum { LOCAL = 1, LABEL = 2, DIGIT = 4, LETTER = 8, SPACE = 16 };

static uint8_t kinds[256];

__attribute__((constructor)) static void fill_kinds(void) {
    const char *marks = "!#$%&'*+-/=?^_`{|}~", *spaces = " \t\n\v\f\r";
    int c;
    for (c = 'a'; c <= 'z'; c++) kinds[c] = kinds[c - 32] = LOCAL | LABEL | LETTER;
    for (c = '0'; c <= '9'; c++) kinds[c] = LOCAL | LABEL | DIGIT;
    for (; *marks != 0; marks++) kinds[(uint8_t)*marks] = LOCAL;
    for (; *spaces != 0; spaces++) kinds[(uint8_t)*spaces] = SPACE;
}

static uint8_t kind(char c) { return kinds[(uint8_t)c]; }

static char lower_case(char c) { return kind(c) & LETTER ? (char)(c | 0x20) : c; }

const char *trimmed(const char *text, size_t *length) {
    while (*length > 0 && kind(text[0]) & SPACE) text++, (*length)--;
    while (*length > 0 && kind(text[*length - 1]) & SPACE) (*length)--;
    return text;
}

static bool copy_local_part(const char *text, size_t length, char *canonical) {
    size_t i;
    if (length == 0 || length > 64) return false;
    for (i = 0; i < length; i++) {
        if (!(kind(text[i]) & LOCAL)) {
            if (text[i] != '.' || i == 0 || i + 1 == length || text[i - 1] == '.') return false;
        }
        canonical[i] = lower_case(text[i]);
    }
    return true;
}

static bool copy_domain(const char *text, size_t length, char *canonical) {
    size_t start = 0, labels = 0, i;
    bool has_letter = false;
    for (i = 0; i <= length; i++) {
        if (i == length || text[i] == '.') {
            if (i == start || i - start > 63 || text[start] == '-' || text[i - 1] == '-') return false;
            labels++;
            start = i + 1;
            if (i < length) has_letter = false, canonical[i] = '.';
            continue;
        }
        if (!(kind(text[i]) & LABEL) && text[i] != '-') return false;
        if (!(kind(text[i]) & DIGIT)) has_letter = true;
        canonical[i] = lower_case(text[i]);
    }
    return labels > 1 && has_letter;
}

size_t floor_canonicalise(const char *text, size_t length, char *canonical) {
    size_t at;
    text = trimmed(text, &length);
    if (length > FLOOR_ADDRESS) return 0;
    for (at = length; at > 0 && text[at - 1] != '@'; at--) {}
    if (at == 0 || !copy_local_part(text, at - 1, canonical)) return 0;
    canonical[at - 1] = '@';
    return copy_domain(text + at, length - at, canonical + at) ? length : 0;
}

bool floor_contact_hash(const char *text, size_t length, uint8_t *hash) {
    char canonical[FLOOR_ADDRESS];
    length = floor_canonicalise(text, length, canonical);
    if (length == 0) return false;
    crypto_hash_sha256(hash, (const unsigned char *)canonical, length);
    return true;
}
