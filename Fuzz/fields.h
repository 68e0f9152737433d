/* fields.h: sets fields of every type from an input, and checks that they are read back with the same type, bits and order. */

#ifndef FIELDS_H
#define FIELDS_H

#include "fuzz.h"

#include <math.h>

enum { MOST_VALUES = 12 };

static const kinfolk_field_type field_types[16] = {
    KINFOLK_STRING, KINFOLK_INT64, KINFOLK_DOUBLE, KINFOLK_BOOLEAN, KINFOLK_BYTES, KINFOLK_DATE, KINFOLK_LOCATION,
    KINFOLK_REFERENCE, KINFOLK_STRING_LIST, KINFOLK_INT64_LIST, KINFOLK_DOUBLE_LIST, KINFOLK_BOOLEAN_LIST,
    KINFOLK_BYTES_LIST, KINFOLK_DATE_LIST, KINFOLK_LOCATION_LIST, KINFOLK_REFERENCE_LIST
};

/* A field's value: `count` of its type. Texts, references and bytes are in `texts`. */
typedef struct field {
    char name[256];
    kinfolk_field_type type;
    size_t count;
    char *texts[MOST_VALUES];
    size_t lengths[MOST_VALUES];
    int64_t integers[MOST_VALUES];
    double numbers[MOST_VALUES], others[MOST_VALUES];
    bool booleans[MOST_VALUES];
    kinfolk_reference_action actions[MOST_VALUES];
} field;

FUZZ_UNUSED static void field_end(field *f) {
    size_t i;
    for (i = 0; i < MOST_VALUES; i++) free(f->texts[i]);
    memset(f, 0, sizeof *f);
}

FUZZ_UNUSED static bool is_name(const char *name) {
    size_t length = strlen(name), i;
    for (i = 0; i < length; i++) {
        char c = name[i];
        bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (!is_letter && (i == 0 || !((c >= '0' && c <= '9') || c == '_'))) return false;
    }
    return length >= 1 && length <= 255;
}

/* A double from 8 bytes, or from one byte, which is more often in range. */
static double take_double(input *in) {
    uint64_t bits;
    double number;
    if (take_byte(in) & 1) return (double)(int8_t)take_byte(in);
    bits = take_number(in, 8);
    memcpy(&number, &bits, sizeof number);
    return number;
}

/* Whether a text is a record name: printable ASCII, and a user record ID if it begins with "_". */
FUZZ_UNUSED static bool is_record_name(const char *name) {
    size_t length = strlen(name), i;
    for (i = 0; i < length; i++)
        if (name[i] < ' ' || name[i] > '~') return false;
    return length >= 1 && length <= 255 && (name[0] != '_' || is_record_id(name));
}

/* The target of a reference: a user record ID, or any text. */
static char *take_reference(input *in) {
    char *id;
    if (take_byte(in) & 1) return take_text(in);
    id = malloc(34);
    if (id == NULL) abort();
    sprintf(id, "_%016llx%016llx", (unsigned long long)take_number(in, 2), (unsigned long long)take_number(in, 8));
    return id;
}

/* Takes a value of the field's type. Returns whether a record accepts it. */
FUZZ_UNUSED static bool take_value(field *f, input *in) {
    bool is_list = f->type > 16, is_good = true;
    size_t i, length;
    f->count = is_list ? take_byte(in) % (MOST_VALUES + 1) : 1;
    for (i = 0; i < f->count; i++) {
        switch (f->type & 15) {
        case KINFOLK_STRING:
            f->texts[i] = take_text_of(in, &f->lengths[i]);
            is_good = is_good && is_utf_8(f->texts[i], f->lengths[i]);
            break;
        case KINFOLK_BYTES: {
            const uint8_t *bytes = take_bytes(in, &length);
            f->texts[i] = malloc(length + 1);
            if (f->texts[i] == NULL) abort();
            memcpy(f->texts[i], bytes, length);
            f->lengths[i] = length;
            break;
        }
        case KINFOLK_REFERENCE:
            f->texts[i] = take_reference(in);
            f->lengths[i] = strlen(f->texts[i]);
            f->actions[i] = (kinfolk_reference_action)(take_byte(in) & 3);
            is_good = is_good && is_record_name(f->texts[i]) && f->actions[i] <= KINFOLK_REFERENCE_VALIDATE &&
                      (f->texts[i][0] != '_' || f->actions[i] == KINFOLK_REFERENCE_NONE);
            break;
        case KINFOLK_INT64:
        case KINFOLK_DATE: f->integers[i] = (int64_t)take_number(in, 8); break;
        case KINFOLK_BOOLEAN: f->booleans[i] = take_byte(in) & 1; break;
        case KINFOLK_LOCATION:
            f->numbers[i] = take_double(in);
            f->others[i] = take_double(in);
            is_good = is_good && fabs(f->numbers[i]) <= 90 && fabs(f->others[i]) <= 180; /* false for NaN */
            break;
        default: f->numbers[i] = take_double(in);
        }
    }
    return is_good;
}

static kinfolk_status make_value(const field *f, kinfolk_value **value) {
    const char *const *texts = (const char *const *)f->texts;
    const uint8_t *const *bytes = (const uint8_t *const *)f->texts;
    switch (f->type) {
    case KINFOLK_STRING: return kinfolk_value_new_string(texts[0], f->lengths[0], value);
    case KINFOLK_INT64: return kinfolk_value_new_int64(f->integers[0], value);
    case KINFOLK_DOUBLE: return kinfolk_value_new_double(f->numbers[0], value);
    case KINFOLK_BOOLEAN: return kinfolk_value_new_boolean(f->booleans[0], value);
    case KINFOLK_BYTES: return kinfolk_value_new_bytes(bytes[0], f->lengths[0], value);
    case KINFOLK_DATE: return kinfolk_value_new_date(f->integers[0], value);
    case KINFOLK_LOCATION: return kinfolk_value_new_location(f->numbers[0], f->others[0], value);
    case KINFOLK_REFERENCE: return kinfolk_value_new_reference(texts[0], NULL, f->actions[0], value);
    case KINFOLK_STRING_LIST: return kinfolk_value_new_string_list(texts, f->lengths, f->count, value);
    case KINFOLK_INT64_LIST: return kinfolk_value_new_int64_list(f->integers, f->count, value);
    case KINFOLK_DOUBLE_LIST: return kinfolk_value_new_double_list(f->numbers, f->count, value);
    case KINFOLK_BOOLEAN_LIST: return kinfolk_value_new_boolean_list(f->booleans, f->count, value);
    case KINFOLK_BYTES_LIST: return kinfolk_value_new_bytes_list(bytes, f->lengths, f->count, value);
    case KINFOLK_DATE_LIST: return kinfolk_value_new_date_list(f->integers, f->count, value);
    case KINFOLK_LOCATION_LIST: return kinfolk_value_new_location_list(f->numbers, f->others, f->count, value);
    default: return kinfolk_value_new_reference_list(texts, NULL, f->actions, f->count, value);
    }
}

static bool has_inner_nul(const field *f) { return strlen(f->texts[0]) != f->lengths[0]; }

/* Sets a field by the short function of its type. Returns `otherwise` if there is none. */
static kinfolk_status set_shortly(kinfolk_record *record, const char *name, const field *f, kinfolk_status otherwise) {
    switch (f->type) {
    case KINFOLK_STRING: return has_inner_nul(f) ? otherwise : kinfolk_record_set_string(record, name, f->texts[0]);
    case KINFOLK_INT64: return kinfolk_record_set_int64(record, name, f->integers[0]);
    case KINFOLK_DOUBLE: return kinfolk_record_set_double(record, name, f->numbers[0]);
    case KINFOLK_BOOLEAN: return kinfolk_record_set_boolean(record, name, f->booleans[0]);
    case KINFOLK_BYTES: return kinfolk_record_set_bytes(record, name, (uint8_t *)f->texts[0], f->lengths[0]);
    case KINFOLK_DATE: return kinfolk_record_set_date(record, name, f->integers[0]);
    case KINFOLK_LOCATION: return kinfolk_record_set_location(record, name, f->numbers[0], f->others[0]);
    case KINFOLK_REFERENCE: return kinfolk_record_set_reference(record, name, f->texts[0], NULL, f->actions[0]);
    default: return otherwise;
    }
}

/* Sets a field as a value and by the short function. Both must return the same status. */
FUZZ_UNUSED static kinfolk_status set_field(kinfolk_record *record, const char *name, const field *f) {
    kinfolk_value *value = NULL;
    kinfolk_status status = make_value(f, &value);
    if (status == KINFOLK_OK) status = kinfolk_record_set_value(record, name, value);
    kinfolk_value_free(value);
    HOLDS(set_shortly(record, name, f, status) == status);
    return status;
}

static bool same_bits(double one, double other) { return memcmp(&one, &other, sizeof one) == 0; }

/* The value must have the type and the content of the field. */
static void check_value(const kinfolk_value *value, const field *f) {
    const char *const *texts = NULL, *const *zones = NULL;
    const kinfolk_reference_action *actions = NULL;
    const uint8_t *const *bytes = NULL;
    const size_t *lengths = NULL;
    const int64_t *integers = NULL;
    const double *numbers = NULL, *others = NULL;
    const bool *booleans = NULL;
    size_t count = 0, i;
    switch (f->type & 15) {
    case KINFOLK_STRING: OK(kinfolk_value_get_strings(value, &texts, &lengths, &count)); break;
    case KINFOLK_INT64: OK(kinfolk_value_get_int64s(value, &integers, &count)); break;
    case KINFOLK_DOUBLE: OK(kinfolk_value_get_doubles(value, &numbers, &count)); break;
    case KINFOLK_BOOLEAN: OK(kinfolk_value_get_booleans(value, &booleans, &count)); break;
    case KINFOLK_BYTES: OK(kinfolk_value_get_bytes(value, &bytes, &lengths, &count)); break;
    case KINFOLK_DATE: OK(kinfolk_value_get_dates(value, &integers, &count)); break;
    case KINFOLK_LOCATION: OK(kinfolk_value_get_locations(value, &numbers, &others, &count)); break;
    default: OK(kinfolk_value_get_references(value, &texts, &zones, &actions, &count));
    }
    HOLDS(count == f->count && kinfolk_value_count(value) == count && kinfolk_value_type(value) == f->type);
    for (i = 0; i < count; i++) {
        if (lengths != NULL) HOLDS(lengths[i] == f->lengths[i]);
        if (actions != NULL) HOLDS(actions[i] == f->actions[i] && strcmp(zones[i], "_defaultZone") == 0);
        if (texts != NULL) HOLDS(memcmp(texts[i], f->texts[i], f->lengths[i] + 1) == 0);
        if (bytes != NULL) HOLDS(memcmp(bytes[i], f->texts[i], f->lengths[i]) == 0);
        if (integers != NULL) HOLDS(integers[i] == f->integers[i]);
        if (numbers != NULL) HOLDS(same_bits(numbers[i], f->numbers[i]));
        if (others != NULL) HOLDS(same_bits(others[i], f->others[i]));
        if (booleans != NULL) HOLDS(booleans[i] == f->booleans[i]);
    }
}

/* The record must have the field as it was set: as a value, and by the one short function that reads a field of its type. */
FUZZ_UNUSED static void check_field(const kinfolk_record *record, const field *f) {
    kinfolk_field_type type = (kinfolk_field_type)0;
    kinfolk_value *value = NULL;
    size_t length = 0;
    const char *text = NULL, *zone = NULL;
    kinfolk_reference_action action = (kinfolk_reference_action)99;
    const uint8_t *bytes = NULL;
    int64_t integer = 0;
    double number = 0, other = 0;
    bool boolean = false;
    OK(kinfolk_record_field_type(record, f->name, &type));
    HOLDS(type == f->type);
    OK(kinfolk_record_get_value(record, f->name, &value));
    check_value(value, f);
    kinfolk_value_free(value);
    if (kinfolk_record_get_string(record, f->name, &text) == KINFOLK_OK)
        HOLDS(type == KINFOLK_STRING && !has_inner_nul(f) && strcmp(text, f->texts[0]) == 0);
    else
        HOLDS(type != KINFOLK_STRING || has_inner_nul(f));
    if (kinfolk_record_get_reference(record, f->name, &text, &zone, &action) == KINFOLK_OK)
        HOLDS(type == KINFOLK_REFERENCE && strcmp(text, f->texts[0]) == 0 && strcmp(zone, "_defaultZone") == 0 &&
              action == f->actions[0]);
    else
        HOLDS(type != KINFOLK_REFERENCE);
    if (kinfolk_record_get_bytes(record, f->name, &bytes, &length) == KINFOLK_OK)
        HOLDS(type == KINFOLK_BYTES && length == f->lengths[0] && memcmp(bytes, f->texts[0], length) == 0);
    else
        HOLDS(type != KINFOLK_BYTES);
    if (kinfolk_record_get_int64(record, f->name, &integer) == KINFOLK_OK)
        HOLDS(type == KINFOLK_INT64 && integer == f->integers[0]);
    else
        HOLDS(type != KINFOLK_INT64);
    if (kinfolk_record_get_date(record, f->name, &integer) == KINFOLK_OK)
        HOLDS(type == KINFOLK_DATE && integer == f->integers[0]);
    else
        HOLDS(type != KINFOLK_DATE);
    if (kinfolk_record_get_double(record, f->name, &number) == KINFOLK_OK)
        HOLDS(type == KINFOLK_DOUBLE && same_bits(number, f->numbers[0]));
    else
        HOLDS(type != KINFOLK_DOUBLE);
    if (kinfolk_record_get_boolean(record, f->name, &boolean) == KINFOLK_OK)
        HOLDS(type == KINFOLK_BOOLEAN && boolean == f->booleans[0]);
    else
        HOLDS(type != KINFOLK_BOOLEAN);
    if (kinfolk_record_get_location(record, f->name, &number, &other) == KINFOLK_OK)
        HOLDS(type == KINFOLK_LOCATION && same_bits(number, f->numbers[0]) && same_bits(other, f->others[0]));
    else
        HOLDS(type != KINFOLK_LOCATION);
}

#endif
