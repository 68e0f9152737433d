/*
 * fuzz.h: functions for all targets. A target is one function, LLVMFuzzerTestOneInput. It passes the input to the C API and
 * checks the results with HOLDS. The same source is built with libFuzzer, and with replay.c to run its corpus.
 */

#ifndef FUZZ_H
#define FUZZ_H

#include <kinfolk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FUZZ_UNUSED __attribute__((unused))

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* ---- Checks */

#define HOLDS(condition) ((condition) ? (void)0 : fuzz_broken(__FILE__, __LINE__, #condition))
#define OK(call) HOLDS((call) == KINFOLK_OK)

FUZZ_UNUSED static void fuzz_broken(const char *file, int line, const char *condition) {
    fprintf(stderr, "%s:%d: does not hold: %s (last failure: %s)\n", file, line, condition, kinfolk_error_message());
    abort();
}

/* The well-formed sequences of RFC 3629, section 4. */
FUZZ_UNUSED static bool is_utf_8(const char *text, size_t length) {
    const uint8_t *at = (const uint8_t *)text, *end = at + length;
    while (at < end) {
        size_t more = *at < 0x80 ? 0 : *at < 0xc2 ? 9 : *at < 0xe0 ? 1 : *at < 0xf0 ? 2 : *at < 0xf5 ? 3 : 9;
        if (more == 9 || more > (size_t)(end - at) - 1) return false;
        if (*at == 0xe0 && at[1] < 0xa0) return false;
        if (*at == 0xed && at[1] > 0x9f) return false;
        if (*at == 0xf0 && at[1] < 0x90) return false;
        if (*at == 0xf4 && at[1] > 0x8f) return false;
        for (at++; more > 0; more--, at++)
            if ((*at & 0xc0) != 0x80) return false;
    }
    return true;
}

FUZZ_UNUSED static bool is_hex(const char *text, size_t length) {
    return strlen(text) == length && strspn(text, "0123456789abcdef") == length;
}

FUZZ_UNUSED static bool is_record_id(const char *text) { return text[0] == '_' && is_hex(text + 1, 32); }

/* A borrowed text must be UTF-8 on one line, if it is not NULL. */
FUZZ_UNUSED static bool is_one_line(const char *text) {
    const char *at;
    if (text == NULL || !is_utf_8(text, strlen(text))) return false;
    for (at = text; *at != '\0'; at++)
        if ((unsigned char)*at < 0x20 || *at == 0x7f) return false;
    return true;
}

/* A failure must have one of two statuses, and a message that is a sentence. */
#define FAILED(status, wanted, other) \
    HOLDS(((status) == (wanted) || (status) == (other)) && kinfolk_error_message()[0] != '\0' && \
          is_one_line(kinfolk_error_message()))

/* ---- The input, taken in parts */

typedef struct input {
    const uint8_t *at;
    size_t left;
} input;

FUZZ_UNUSED static uint8_t take_byte(input *in) {
    if (in->left == 0) return 0;
    in->left--;
    return *in->at++;
}

FUZZ_UNUSED static uint64_t take_number(input *in, size_t size) {
    uint64_t number = 0;
    while (size-- > 0) number = number << 8 | take_byte(in);
    return number;
}

/* Takes bytes: their count, then the bytes. They are not copied. */
FUZZ_UNUSED static const uint8_t *take_bytes(input *in, size_t *length) {
    const uint8_t *bytes;
    *length = take_byte(in);
    if (*length > in->left) *length = in->left;
    bytes = in->at;
    in->at += *length;
    in->left -= *length;
    return bytes;
}

/* Takes a text with a NUL behind it, and maybe others inside, to be freed. For a longer text the count is 255, followed by a part and
 * how often it is repeated. */
FUZZ_UNUSED static char *take_text_of(input *in, size_t *total) {
    size_t length, times, i;
    bool is_long = in->left > 0 && *in->at == 255;
    const uint8_t *bytes = (is_long ? (void)take_byte(in) : (void)0, take_bytes(in, &length));
    char *text;
    times = is_long ? (size_t)take_byte(in) * 4 + 1 : 1;
    *total = length * times;
    text = malloc(*total + 1);
    if (text == NULL) abort();
    for (i = 0; i < times; i++) memcpy(text + i * length, bytes, length);
    text[*total] = '\0';
    return text;
}

FUZZ_UNUSED static char *take_text(input *in) {
    size_t length;
    return take_text_of(in, &length);
}

/* Takes the rest of the input as a text, to be freed. */
FUZZ_UNUSED static char *take_rest(input *in) {
    char *text = malloc(in->left + 1);
    if (text == NULL) abort();
    memcpy(text, in->at, in->left);
    text[in->left] = '\0';
    in->at += in->left;
    in->left = 0;
    return text;
}

#endif
