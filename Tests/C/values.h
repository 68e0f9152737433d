/*
 * values.h: a store with one record, and functions that read and compare values of any type. Include it after people.h.
 */

#ifndef VALUES_H
#define VALUES_H

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* ---- A store with one record */

static kinfolk_service *service;
static kinfolk_container *notes;
static kinfolk_session *session;
static kinfolk_record *record;

static void make_record(void) {
    service = open_store();
    notes = make_container(service, NOTES);
    session = make_findable(service, notes, "Ada", "Lovelace", "ada@example.com");
    record = own_record(session, KINFOLK_DATABASE_PUBLIC);
}

/* Saves the record, and fetches it again. */
static void save_and_fetch(void) {
    OK(kinfolk_record_save(session, record, KINFOLK_SAVE_IF_UNCHANGED));
    kinfolk_record_free(record);
    record = own_record(session, KINFOLK_DATABASE_PUBLIC);
}

/* Frees the handles. With the last of them the store is closed. */
static void free_record(void) {
    kinfolk_record_free(record);
    kinfolk_session_free(session);
    kinfolk_container_free(notes);
    kinfolk_service_free(service);
}

/* ---- Values of any type */

/* The elements of a value: the arrays for its type are set, the others are NULL. */
struct reading {
    const char *const *texts;
    const uint8_t *const *bytes;
    const int64_t *integers;
    const double *numbers, *others;
    const bool *booleans;
    const char *const *zones;
    const kinfolk_reference_action *actions;
    const size_t *lengths;
    size_t count;
};

/* Reads a value as one that has elements of a type. */
HARNESS_UNUSED static kinfolk_status read_as(const kinfolk_value *value, kinfolk_field_type element,
                                             struct reading *r) {
    memset(r, 0, sizeof *r);
    r->count = 77;
    switch (element) {
    case KINFOLK_STRING: return kinfolk_value_get_strings(value, &r->texts, &r->lengths, &r->count);
    case KINFOLK_INT64: return kinfolk_value_get_int64s(value, &r->integers, &r->count);
    case KINFOLK_DOUBLE: return kinfolk_value_get_doubles(value, &r->numbers, &r->count);
    case KINFOLK_BOOLEAN: return kinfolk_value_get_booleans(value, &r->booleans, &r->count);
    case KINFOLK_BYTES: return kinfolk_value_get_bytes(value, &r->bytes, &r->lengths, &r->count);
    case KINFOLK_DATE: return kinfolk_value_get_dates(value, &r->integers, &r->count);
    case KINFOLK_LOCATION: return kinfolk_value_get_locations(value, &r->numbers, &r->others, &r->count);
    default: return kinfolk_value_get_references(value, &r->texts, &r->zones, &r->actions, &r->count);
    }
}

/* Checks the type of a value and its number of elements, and reads it. */
HARNESS_UNUSED static struct reading reading_of(const kinfolk_value *value, kinfolk_field_type type, size_t count) {
    struct reading reading;
    EQUAL(kinfolk_value_type(value), type);
    EQUAL(kinfolk_value_count(value), count);
    OK(read_as(value, (kinfolk_field_type)(type & 15), &reading));
    REQUIRE(reading.count == count);
    return reading;
}

/* Two values have the same type and elements, to the bit, in the same order. */
HARNESS_UNUSED static void check_same_value(const kinfolk_value *got, const kinfolk_value *wanted) {
    kinfolk_field_type type = kinfolk_value_type(wanted);
    size_t count = kinfolk_value_count(wanted), i;
    struct reading g = reading_of(got, type, count), w = reading_of(wanted, type, count);
    for (i = 0; i < count; i++) {
        if (w.texts != NULL) SAME(g.texts[i], w.texts[i]);
        if (w.lengths != NULL) REQUIRE(g.lengths[i] == w.lengths[i]);
        if (w.bytes != NULL) CHECK(memcmp(g.bytes[i], w.bytes[i], w.lengths[i]) == 0);
        if (w.integers != NULL) EQUAL(g.integers[i], w.integers[i]);
        if (w.numbers != NULL) CHECK(memcmp(&g.numbers[i], &w.numbers[i], sizeof(double)) == 0);
        if (w.others != NULL) CHECK(memcmp(&g.others[i], &w.others[i], sizeof(double)) == 0);
        if (w.booleans != NULL) EQUAL(g.booleans[i], w.booleans[i]);
    }
}

/* Sets a field of a record to a value, and frees the value. */
HARNESS_UNUSED static void set_and_free(kinfolk_record *record, const char *name, kinfolk_value *value) {
    OK(kinfolk_record_set_value(record, name, value));
    kinfolk_value_free(value);
}

HARNESS_UNUSED static double from_bits(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

HARNESS_UNUSED static bool same_bits(double one, double other) { return memcmp(&one, &other, sizeof one) == 0; }

#endif
