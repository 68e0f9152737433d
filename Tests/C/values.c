/* Values and fields: what was set is read back with the same type, bits and order; a value is independent of records. */

#include "harness.h"
#include "people.h"
#include "children.h"

#include <math.h>
#include <pthread.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define OTHER_ID "_ffffffffffffffffffffffffffffffff"
#define MOST_BYTES 1000000

static const int64_t integers[] = { 0, 1, -1, INT64_MIN, INT64_MAX };
static const uint64_t doubles[] = {
    0, 0x8000000000000000u /* -0.0 */, 1, 0x7ff0000000000000u, 0xfff0000000000000u, 0x7ff8000000000000u,
    0x7ff8dead00beef01u, 0xfff8000000000001u, 0x7ff0000000000001u /* signalling */
};

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
static kinfolk_status read_as(const kinfolk_value *value, kinfolk_field_type element,
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
static struct reading reading_of(const kinfolk_value *value, kinfolk_field_type type, size_t count) {
    struct reading reading;
    EQUAL(kinfolk_value_type(value), type);
    EQUAL(kinfolk_value_count(value), count);
    OK(read_as(value, (kinfolk_field_type)(type & 15), &reading));
    REQUIRE(reading.count == count);
    return reading;
}

/* Two values have the same type and elements, to the bit, in the same order. */
static void check_same_value(const kinfolk_value *got, const kinfolk_value *wanted) {
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

static double from_bits(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static bool same_bits(double one, double other) { return memcmp(&one, &other, sizeof one) == 0; }

/* One value of each type, the lists with two elements. */
enum { VALUES = 16 };
static void make_one_of_each(kinfolk_value *values[VALUES]) {
    static const char *const texts[] = { "one", "two" }, *const ids[] = { NOBODY, OTHER_ID };
    static const uint8_t *const bytes[] = { (const uint8_t *)"ab", (const uint8_t *)"cd" };
    static const size_t lengths[] = { 2, 1 };
    static const double latitudes[] = { 1, 2 }, longitudes[] = { 3, 4 };
    static const bool booleans[] = { true, false };
    OK(kinfolk_value_new_string("one", 3, &values[0]));
    OK(kinfolk_value_new_int64(1, &values[1]));
    OK(kinfolk_value_new_double(1, &values[2]));
    OK(kinfolk_value_new_boolean(true, &values[3]));
    OK(kinfolk_value_new_bytes((const uint8_t *)"ab", 2, &values[4]));
    OK(kinfolk_value_new_date(1, &values[5]));
    OK(kinfolk_value_new_location(1, 3, &values[6]));
    OK(kinfolk_value_new_reference(NOBODY, NULL, KINFOLK_REFERENCE_NONE, &values[7]));
    OK(kinfolk_value_new_string_list(texts, NULL, 2, &values[8]));
    OK(kinfolk_value_new_int64_list(integers, 2, &values[9]));
    OK(kinfolk_value_new_double_list(latitudes, 2, &values[10]));
    OK(kinfolk_value_new_boolean_list(booleans, 2, &values[11]));
    OK(kinfolk_value_new_bytes_list(bytes, lengths, 2, &values[12]));
    OK(kinfolk_value_new_date_list(integers, 2, &values[13]));
    OK(kinfolk_value_new_location_list(latitudes, longitudes, 2, &values[14]));
    OK(kinfolk_value_new_reference_list(ids, NULL, NULL, 2, &values[15]));
}

static kinfolk_field_type type_of_each(size_t index) {
    return (kinfolk_field_type)(index < 8 ? index + 1 : index + 9);
}

static void free_each(kinfolk_value *values[VALUES]) {
    size_t i;
    for (i = 0; i < VALUES; i++) kinfolk_value_free(values[i]);
}

/* ---- Values in memory */

static void numbers_keep_their_bits(void) {
    double numbers[COUNT(doubles)];
    kinfolk_value *value = NULL;
    struct reading reading;
    size_t i;
    for (i = 0; i < COUNT(doubles); i++) {
        numbers[i] = from_bits(doubles[i]);
        OK(kinfolk_value_new_double(numbers[i], &value));
        reading = reading_of(value, KINFOLK_DOUBLE, 1);
        CHECK(same_bits(reading.numbers[0], numbers[i]));
        kinfolk_value_free(value);
    }
    OK(kinfolk_value_new_double_list(numbers, COUNT(numbers), &value));
    reading = reading_of(value, KINFOLK_DOUBLE_LIST, COUNT(numbers));
    CHECK(memcmp(reading.numbers, numbers, sizeof numbers) == 0);
    kinfolk_value_free(value);
    for (i = 0; i < COUNT(integers); i++) {
        OK(kinfolk_value_new_int64(integers[i], &value));
        reading = reading_of(value, KINFOLK_INT64, 1);
        EQUAL(reading.integers[0], integers[i]);
        kinfolk_value_free(value);
        OK(kinfolk_value_new_date(integers[i], &value));
        reading = reading_of(value, KINFOLK_DATE, 1);
        EQUAL(reading.integers[0], integers[i]);
        kinfolk_value_free(value);
    }
    OK(kinfolk_value_new_int64_list(integers, COUNT(integers), &value));
    reading = reading_of(value, KINFOLK_INT64_LIST, COUNT(integers));
    CHECK(memcmp(reading.integers, integers, sizeof integers) == 0);
    kinfolk_value_free(value);
    OK(kinfolk_value_new_date_list(integers, COUNT(integers), &value));
    reading = reading_of(value, KINFOLK_DATE_LIST, COUNT(integers));
    CHECK(memcmp(reading.integers, integers, sizeof integers) == 0);
    kinfolk_value_free(value);
}

static void booleans_locations_and_references_round_trip(void) {
    static const bool booleans[] = { true, false, false, true };
    static const double latitudes[] = { 90, -0.0, 12.5 }, longitudes[] = { -180, 0.0, 1e-12 };
    static const char *const ids[] = { NOBODY, OTHER_ID, NOBODY };
    kinfolk_value *value = NULL;
    struct reading reading;
    size_t i;
    OK(kinfolk_value_new_boolean_list(booleans, COUNT(booleans), &value));
    reading = reading_of(value, KINFOLK_BOOLEAN_LIST, COUNT(booleans));
    for (i = 0; i < COUNT(booleans); i++) CHECK(reading.booleans[i] == booleans[i]);
    kinfolk_value_free(value);
    OK(kinfolk_value_new_boolean(true, &value));
    CHECK(reading_of(value, KINFOLK_BOOLEAN, 1).booleans[0]);
    kinfolk_value_free(value);

    OK(kinfolk_value_new_location_list(latitudes, longitudes, 3, &value));
    reading = reading_of(value, KINFOLK_LOCATION_LIST, 3);
    CHECK(memcmp(reading.numbers, latitudes, sizeof latitudes) == 0);
    CHECK(memcmp(reading.others, longitudes, sizeof longitudes) == 0);
    kinfolk_value_free(value);
    OK(kinfolk_value_new_location(-0.0, 180, &value));
    reading = reading_of(value, KINFOLK_LOCATION, 1);
    CHECK(same_bits(reading.numbers[0], -0.0) && reading.others[0] == 180);
    kinfolk_value_free(value);

    OK(kinfolk_value_new_reference_list(ids, NULL, NULL, 3, &value));
    reading = reading_of(value, KINFOLK_REFERENCE_LIST, 3);
    for (i = 0; i < 3; i++) SAME(reading.texts[i], ids[i]);
    kinfolk_value_free(value);
    OK(kinfolk_value_new_reference(OTHER_ID, NULL, KINFOLK_REFERENCE_NONE, &value));
    SAME(reading_of(value, KINFOLK_REFERENCE, 1).texts[0], OTHER_ID);
    kinfolk_value_free(value);
}

static void texts_and_bytes_round_trip_with_their_lengths(void) {
    static const char *const texts[] = { "", "caf\xc3\xa9", "cafe\xcc\x81", "\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x94\xac" };
    static const uint8_t zeros[] = { 0, 255, 0 };
    const uint8_t *const bytes[] = { zeros, zeros, NULL };
    static const size_t lengths[] = { 3, 1, 0 };
    kinfolk_value *value = NULL;
    struct reading reading;
    size_t i;
    OK(kinfolk_value_new_string_list(texts, NULL, COUNT(texts), &value));
    reading = reading_of(value, KINFOLK_STRING_LIST, COUNT(texts));
    for (i = 0; i < COUNT(texts); i++) {
        SAME(reading.texts[i], texts[i]);
        EQUAL(reading.lengths[i], strlen(texts[i]));
    }
    kinfolk_value_free(value);
    OK(kinfolk_value_new_string("garden", 3, &value)); /* only the first three bytes */
    SAME(reading_of(value, KINFOLK_STRING, 1).texts[0], "gar");
    kinfolk_value_free(value);
    OK(kinfolk_value_new_string(NULL, 0, &value));
    SAME(reading_of(value, KINFOLK_STRING, 1).texts[0], "");
    kinfolk_value_free(value);

    OK(kinfolk_value_new_bytes_list(bytes, lengths, 3, &value));
    reading = reading_of(value, KINFOLK_BYTES_LIST, 3);
    for (i = 0; i < 3; i++) {
        REQUIRE(reading.lengths[i] == lengths[i]);
        CHECK(memcmp(reading.bytes[i], zeros, lengths[i]) == 0);
        EQUAL(reading.bytes[i][lengths[i]], 0); /* the NUL behind it */
    }
    kinfolk_value_free(value);
    OK(kinfolk_value_new_bytes(zeros, 3, &value));
    reading = reading_of(value, KINFOLK_BYTES, 1);
    CHECK(reading.lengths[0] == 3 && memcmp(reading.bytes[0], zeros, 3) == 0);
    kinfolk_value_free(value);
}

static void a_nul_inside_a_text_needs_the_lengths(void) {
    static const char inner[] = "a\0b";
    const char *const texts[] = { "plain", inner };
    static const size_t lengths[] = { 5, 3 };
    const char *const *read = NULL;
    size_t count = 77;
    kinfolk_value *value = NULL;
    struct reading reading;
    OK(kinfolk_value_new_string(inner, 3, &value));
    reading = reading_of(value, KINFOLK_STRING, 1);
    CHECK(reading.lengths[0] == 3 && memcmp(reading.texts[0], inner, 4) == 0);
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_value_get_strings(value, &read, NULL, &count));
    kinfolk_value_free(value);

    OK(kinfolk_value_new_string_list(texts, lengths, 2, &value));
    reading = reading_of(value, KINFOLK_STRING_LIST, 2);
    CHECK(reading.lengths[1] == 3 && memcmp(reading.texts[1], inner, 4) == 0);
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_value_get_strings(value, &read, NULL, &count));
    CHECK(read == NULL && count == 77);
    kinfolk_value_free(value);

    OK(kinfolk_value_new_string_list(texts, NULL, 2, &value)); /* without lengths it ends at its first NUL */
    OK(kinfolk_value_get_strings(value, &read, NULL, &count));
    REQUIRE(count == 2);
    SAME(read[1], "a");
    kinfolk_value_free(value);
}

static void each_type_is_read_only_by_its_own_function(void) {
    kinfolk_value *values[VALUES];
    struct reading reading, untouched;
    size_t i;
    int element;
    memset(&untouched, 0, sizeof untouched);
    untouched.count = 77;
    make_one_of_each(values);
    for (i = 0; i < VALUES; i++) {
        for (element = KINFOLK_STRING; element <= KINFOLK_REFERENCE; element++) {
            if (element == (int)(type_of_each(i) & 15)) {
                (void)reading_of(values[i], type_of_each(i), i < 8 ? 1 : 2);
            } else {
                FAILS(KINFOLK_INVALID_ARGUMENT, read_as(values[i], (kinfolk_field_type)element, &reading));
                CHECK(memcmp(&reading, &untouched, sizeof reading) == 0);
            }
        }
    }
    free_each(values);
}

static void malformed_values_are_refused(void) {
    static const double bad[] = { 90.0000001, NAN };
    static const char *const ids[] = { "", "largo\xcc\x81", "_0123456789abcdef0123456789abcde\xff" };
    static const char *const hole[] = { "a", NULL, "b" }, *const not_utf_8[] = { "a", "\xff" };
    static const uint8_t *const no_bytes[] = { NULL };
    static const size_t one[] = { 1, 1, 1 };
    static const double zeros[] = { 0, 0 };
    double places[2] = { 0, 0 };
    kinfolk_value *value = NULL;
    size_t i;
    for (i = 0; i < COUNT(bad); i++) {
        FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_value_new_location(bad[i], 0, &value));
        FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_value_new_location(0, bad[i] * 2, &value));
        places[1] = bad[i];
        FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_value_new_location_list(places, zeros, 2, &value));
        places[1] = bad[i] * 2;
        FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_value_new_location_list(zeros, places, 2, &value));
    }
    for (i = 0; i < COUNT(ids); i++) {
        FAILS(KINFOLK_INVALID_ARGUMENT,
              kinfolk_value_new_reference(ids[i], NULL, KINFOLK_REFERENCE_NONE, &value));
        FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_value_new_reference_list(&ids[i], NULL, NULL, 1, &value));
    }
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_value_new_string("\xc3\x28", 2, &value));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_value_new_string("caf\xc3\xa9", 4, &value)); /* ends inside a character */
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_value_new_string(NULL, 1, &value));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_value_new_string_list(hole, NULL, 3, &value));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_value_new_string_list(hole, one, 3, &value));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_value_new_string_list(not_utf_8, NULL, 2, &value));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_value_new_string_list(not_utf_8, one, 2, &value));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_value_new_bytes(NULL, 1, &value));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_value_new_bytes_list(no_bytes, one, 1, &value));
    CHECK(value == NULL);
}

static void a_value_has_a_million_bytes_at_most(void) {
    enum { TEXTS = 1000 };
    char *text = calloc(MOST_BYTES + 2, 1);
    int64_t *numbers = calloc(MOST_BYTES + 1, sizeof *numbers);
    bool *booleans = calloc(MOST_BYTES + 1, 1);
    const char *texts[TEXTS];
    const uint8_t *bytes[TEXTS];
    size_t lengths[TEXTS], i;
    kinfolk_value *value = NULL, *none = NULL;
    REQUIRE(text != NULL && numbers != NULL && booleans != NULL);
    memset(text, 't', MOST_BYTES + 1);
    FAILS(KINFOLK_LIMIT_EXCEEDED, kinfolk_value_new_string(text, MOST_BYTES + 1, &none));
    FAILS(KINFOLK_LIMIT_EXCEEDED, kinfolk_value_new_bytes((uint8_t *)text, MOST_BYTES + 1, &none));
    FAILS(KINFOLK_LIMIT_EXCEEDED, kinfolk_value_new_int64_list(numbers, MOST_BYTES / 8 + 1, &none));
    FAILS(KINFOLK_LIMIT_EXCEEDED, kinfolk_value_new_boolean_list(booleans, MOST_BYTES + 1, &none));
    FAILS(KINFOLK_LIMIT_EXCEEDED, kinfolk_value_new_int64_list(numbers, SIZE_MAX, &none));
    OK(kinfolk_value_new_string(text, MOST_BYTES, &value));
    kinfolk_value_free(value);
    OK(kinfolk_value_new_int64_list(numbers, MOST_BYTES / 8, &value));
    (void)reading_of(value, KINFOLK_INT64_LIST, MOST_BYTES / 8);
    kinfolk_value_free(value);
    OK(kinfolk_value_new_boolean_list(booleans, MOST_BYTES, &value));
    kinfolk_value_free(value);
    for (i = 0; i < TEXTS; i++) { /* 996 bytes and 4 each; then one byte more */
        texts[i] = text;
        bytes[i] = (const uint8_t *)text;
        lengths[i] = MOST_BYTES / TEXTS - 4;
    }
    OK(kinfolk_value_new_string_list(texts, lengths, TEXTS, &value));
    kinfolk_value_free(value);
    OK(kinfolk_value_new_bytes_list(bytes, lengths, TEXTS, &value));
    kinfolk_value_free(value);
    lengths[TEXTS - 1]++;
    FAILS(KINFOLK_LIMIT_EXCEEDED, kinfolk_value_new_string_list(texts, lengths, TEXTS, &none));
    FAILS(KINFOLK_LIMIT_EXCEEDED, kinfolk_value_new_bytes_list(bytes, lengths, TEXTS, &none));
    CHECK(none == NULL);
    free(text), free(numbers), free(booleans);
}

/* ---- Fields of a record */

/* Sets a field of a record to a value, and frees the value. */
static void set_and_free(kinfolk_record *record, const char *name, kinfolk_value *value) {
    OK(kinfolk_record_set_value(record, name, value));
    kinfolk_value_free(value);
}

static void check_field(const char *name, kinfolk_field_type wanted_type, size_t wanted_count) {
    kinfolk_field_type type = (kinfolk_field_type)0;
    kinfolk_value *value = NULL;
    OK(kinfolk_record_field_type(record, name, &type));
    EQUAL(type, wanted_type);
    OK(kinfolk_record_get_value(record, name, &value));
    EQUAL(kinfolk_value_type(value), wanted_type);
    EQUAL(kinfolk_value_count(value), wanted_count);
    kinfolk_value_free(value);
}

static const char *const strings[] = {
    "", "a", "caf\xc3\xa9", "cafe\xcc\x81" /* looks the same to a reader, but has other bytes */, "\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x94\xac",
    "line\r\nline\ttab\x01", "\xef\xbb\xbf with a mark", "\xef\xbf\xbf", "' \" \\ ; -- %s",
};

/* A field's name for the value at an index. */
static const char *nth(const char *prefix, size_t index) {
    static char name[40];
    snprintf(name, sizeof name, "%s%02d", prefix, (int)index);
    return name;
}

static void single_values_come_back_as_they_were(void) {
    const char *text = NULL;
    const uint8_t *bytes = NULL;
    size_t i, length = 77;
    int64_t integer;
    double number, latitude, longitude;
    bool boolean;
    uint8_t all[256];
    for (i = 0; i < 256; i++) all[i] = (uint8_t)i;
    make_record();
    for (i = 0; i < COUNT(strings); i++) OK(kinfolk_record_set_string(record, nth("string", i), strings[i]));
    for (i = 0; i < COUNT(integers); i++) {
        OK(kinfolk_record_set_int64(record, nth("int", i), integers[i]));
        OK(kinfolk_record_set_date(record, nth("date", i), integers[i]));
    }
    for (i = 0; i < COUNT(doubles); i++) OK(kinfolk_record_set_double(record, nth("double", i), from_bits(doubles[i])));
    OK(kinfolk_record_set_boolean(record, "yes", true));
    OK(kinfolk_record_set_boolean(record, "no", false));
    OK(kinfolk_record_set_bytes(record, "bytes", all, sizeof all));
    OK(kinfolk_record_set_bytes(record, "none", all, 0));
    OK(kinfolk_record_set_location(record, "pole", -90, 180));
    OK(kinfolk_record_set_location(record, "here", 51.477928, -0.001545));
    OK(kinfolk_record_set_location(record, "zero", -0.0, 0.0));
    OK(kinfolk_record_set_reference(record, "friend", NOBODY, NULL, KINFOLK_REFERENCE_NONE));
    save_and_fetch();

    for (i = 0; i < COUNT(strings); i++) {
        OK(kinfolk_record_get_string(record, nth("string", i), &text));
        SAME(text, strings[i]);
        check_field(nth("string", i), KINFOLK_STRING, 1);
    }
    for (i = 0; i < COUNT(integers); i++) {
        OK(kinfolk_record_get_int64(record, nth("int", i), &integer));
        EQUAL(integer, integers[i]);
        check_field(nth("int", i), KINFOLK_INT64, 1);
        OK(kinfolk_record_get_date(record, nth("date", i), &integer));
        EQUAL(integer, integers[i]);
        check_field(nth("date", i), KINFOLK_DATE, 1);
    }
    for (i = 0; i < COUNT(doubles); i++) {
        OK(kinfolk_record_get_double(record, nth("double", i), &number));
        CHECK(same_bits(number, from_bits(doubles[i])));
        check_field(nth("double", i), KINFOLK_DOUBLE, 1);
    }
    OK(kinfolk_record_get_boolean(record, "yes", &boolean));
    CHECK(boolean);
    OK(kinfolk_record_get_boolean(record, "no", &boolean));
    CHECK(!boolean);
    check_field("no", KINFOLK_BOOLEAN, 1);
    OK(kinfolk_record_get_bytes(record, "bytes", &bytes, &length));
    REQUIRE(length == sizeof all);
    CHECK(memcmp(bytes, all, sizeof all) == 0);
    OK(kinfolk_record_get_bytes(record, "none", &bytes, &length));
    EQUAL(length, 0);
    check_field("none", KINFOLK_BYTES, 1);
    OK(kinfolk_record_get_location(record, "pole", &latitude, &longitude));
    CHECK(latitude == -90 && longitude == 180);
    OK(kinfolk_record_get_location(record, "here", &latitude, &longitude));
    CHECK(same_bits(latitude, 51.477928) && same_bits(longitude, -0.001545));
    OK(kinfolk_record_get_location(record, "zero", &latitude, &longitude));
    CHECK(same_bits(latitude, -0.0) && same_bits(longitude, 0.0));
    check_field("zero", KINFOLK_LOCATION, 1);
    OK(kinfolk_record_get_reference(record, "friend", &text, NULL, NULL));
    SAME(text, NOBODY);
    check_field("friend", KINFOLK_REFERENCE, 1);
    free_record();
}

static void values_of_each_type_come_back_in_their_order(void) {
    kinfolk_value *values[VALUES], *value = NULL;
    size_t i;
    make_record();
    make_one_of_each(values);
    for (i = 0; i < VALUES; i++) OK(kinfolk_record_set_value(record, nth("field", i), values[i]));
    save_and_fetch();
    for (i = 0; i < VALUES; i++) {
        check_field(nth("field", i), type_of_each(i), i < 8 ? 1 : 2);
        OK(kinfolk_record_get_value(record, nth("field", i), &value));
        check_same_value(value, values[i]);
        kinfolk_value_free(value);
    }
    free_each(values);
    free_record();
}

static void an_empty_list_has_arrays_and_keeps_its_type(void) {
    kinfolk_value *lists[8];
    struct reading reading;
    size_t i;
    make_record();
    OK(kinfolk_value_new_string_list(NULL, NULL, 0, &lists[0]));
    OK(kinfolk_value_new_int64_list(NULL, 0, &lists[1]));
    OK(kinfolk_value_new_double_list(NULL, 0, &lists[2]));
    OK(kinfolk_value_new_boolean_list(NULL, 0, &lists[3]));
    OK(kinfolk_value_new_bytes_list(NULL, NULL, 0, &lists[4]));
    OK(kinfolk_value_new_date_list(NULL, 0, &lists[5]));
    OK(kinfolk_value_new_location_list(NULL, NULL, 0, &lists[6]));
    OK(kinfolk_value_new_reference_list(NULL, NULL, NULL, 0, &lists[7]));
    for (i = 0; i < 8; i++) {
        reading = reading_of(lists[i], type_of_each(i + 8), 0);
        CHECK(reading.texts != NULL || reading.bytes != NULL || reading.integers != NULL || reading.numbers != NULL ||
              reading.booleans != NULL);
        CHECK((i != 0 && i != 4) || reading.lengths != NULL);
        CHECK(i != 6 || reading.others != NULL);
        set_and_free(record, nth("list", i), lists[i]);
    }
    save_and_fetch();
    for (i = 0; i < 8; i++) check_field(nth("list", i), type_of_each(i + 8), 0);
    free_record();
}

static void a_text_with_a_nul_is_stored_completely(void) {
    static const char inner[] = "a\0b";
    kinfolk_value *value = NULL;
    const char *text = NULL;
    struct reading reading;
    make_record();
    OK(kinfolk_value_new_string(inner, 3, &value));
    set_and_free(record, "motto", value);
    save_and_fetch();
    OK(kinfolk_record_get_value(record, "motto", &value));
    reading = reading_of(value, KINFOLK_STRING, 1);
    CHECK(reading.lengths[0] == 3 && memcmp(reading.texts[0], inner, 4) == 0);
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_record_get_string(record, "motto", &text));
    CHECK(text == NULL);
    kinfolk_value_free(value);
    free_record();
}

static void a_value_of_another_type_is_refused(void) {
    const char *text = "untouched";
    const uint8_t *bytes = NULL;
    int64_t integer = 77;
    double number = 77, longitude = 77;
    bool boolean = true;
    size_t length = 77;
    kinfolk_value *list = NULL;
    make_record();
    OK(kinfolk_record_set_int64(record, "answer", 42));
    OK(kinfolk_record_set_string(record, "word", "42"));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_record_get_int64(record, "word", &integer));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_record_get_string(record, "answer", &text));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_record_get_double(record, "answer", &number));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_record_get_boolean(record, "answer", &boolean));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_record_get_bytes(record, "word", &bytes, &length));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_record_get_date(record, "answer", &integer));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_record_get_location(record, "answer", &number, &longitude));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_record_get_reference(record, "word", &text, NULL, NULL));
    SAME(text, "untouched");
    CHECK(integer == 77 && number == 77 && longitude == 77 && boolean && bytes == NULL && length == 77);
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_record_get_int64(record, "missing", &integer));
    OK(kinfolk_value_new_int64_list(integers, COUNT(integers), &list));
    set_and_free(record, "answers", list); /* a list is not read as one value, even if it has one element */
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_record_get_int64(record, "answers", &integer));
    OK(kinfolk_value_new_int64_list(integers, 1, &list));
    set_and_free(record, "answers", list);
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_record_get_int64(record, "answers", &integer));
    free_record();
}

static void malformed_fields_are_refused_and_change_nothing(void) {
    kinfolk_value *value = NULL;
    make_record();
    OK(kinfolk_value_new_int64(1, &value));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_record_set_location(record, "place", NAN, 0));
    FAILS(KINFOLK_INVALID_ARGUMENT,
          kinfolk_record_set_reference(record, "friend", "", NULL, KINFOLK_REFERENCE_NONE));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_record_set_string(record, "text", "\xc3\x28"));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_record_set_int64(record, "1a", 1));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_record_set_value(record, "a\xff", value));
    EQUAL(kinfolk_record_field_count(record), 0);
    kinfolk_value_free(value);
    free_record();
}

static void fields_have_names_until_they_are_removed(void) {
    kinfolk_field_type type = (kinfolk_field_type)77;
    make_record();
    OK(kinfolk_record_set_int64(record, "b", 1));
    OK(kinfolk_record_set_int64(record, "a", 2));
    EQUAL(kinfolk_record_field_count(record), 2);
    SAME(kinfolk_record_field_name(record, 0), "a");
    SAME(kinfolk_record_field_name(record, 1), "b");
    CHECK(kinfolk_record_field_name(record, 2) == NULL);
    CHECK(kinfolk_record_field_name(record, SIZE_MAX) == NULL);
    OK(kinfolk_record_remove(record, "a"));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_record_remove(record, "a"));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_record_field_type(record, "a", &type));
    EQUAL(type, 77);
    EQUAL(kinfolk_record_field_count(record), 1);
    free_record();
}

/* ---- Independence of records and threads */

static void texts_stay_with_the_record_when_the_field_is_set_anew(void) {
    const char *text = NULL, *name, *reference = NULL;
    const uint8_t *bytes = NULL;
    size_t length = 0;
    int i;
    make_record();
    OK(kinfolk_record_set_string(record, "motto", "the first one"));
    OK(kinfolk_record_set_bytes(record, "raw", (const uint8_t *)"bytes", 5));
    OK(kinfolk_record_set_reference(record, "friend", NOBODY, NULL, KINFOLK_REFERENCE_NONE));
    OK(kinfolk_record_get_string(record, "motto", &text));
    OK(kinfolk_record_get_bytes(record, "raw", &bytes, &length));
    OK(kinfolk_record_get_reference(record, "friend", &reference, NULL, NULL));
    name = kinfolk_record_field_name(record, 1);
    for (i = 0; i < 100; i++) {
        OK(kinfolk_record_set_string(record, "motto", "another, and a longer one than the first one was"));
        OK(kinfolk_record_set_bytes(record, "raw", (const uint8_t *)"other", 5));
    }
    OK(kinfolk_record_remove(record, "friend"));
    OK(kinfolk_record_remove(record, "motto"));
    OK(kinfolk_record_save(session, record, KINFOLK_SAVE_IF_UNCHANGED));
    SAME(text, "the first one");
    SAME(name, "motto");
    SAME(reference, NOBODY);
    CHECK(length == 5 && memcmp(bytes, "bytes", 5) == 0);
    free_record();
}

static void a_value_and_its_record_do_not_change_each_other(void) {
    kinfolk_record *other;
    kinfolk_value *value = NULL, *copy = NULL, *unknown = NULL;
    struct reading reading;
    int64_t list[] = { 1, 2, 3 };
    make_record();
    other = own_record(session, KINFOLK_DATABASE_PRIVATE);
    OK(kinfolk_value_new_int64_list(list, 3, &value));
    list[0] = 9; /* the value has a copy */
    OK(kinfolk_record_set_value(record, "scores", value)); /* and can be used more than once */
    OK(kinfolk_record_set_value(record, "also", value));
    OK(kinfolk_record_set_value(other, "scores", value));
    kinfolk_value_free(value);
    OK(kinfolk_record_get_value(record, "scores", &value));
    OK(kinfolk_record_get_value(other, "scores", &copy));
    reading = reading_of(value, KINFOLK_INT64_LIST, 3);
    OK(kinfolk_record_set_int64(record, "scores", 7));
    OK(kinfolk_record_remove(record, "also"));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_record_get_value(record, "also", &unknown));
    CHECK(unknown == NULL);
    kinfolk_record_free(other);
    free_record();
    CHECK(reading.integers[0] == 1 && reading.integers[1] == 2 && reading.integers[2] == 3);
    CHECK(memcmp(reading_of(copy, KINFOLK_INT64_LIST, 3).integers, reading.integers, sizeof list) == 0);
    kinfolk_value_free(value);
    kinfolk_value_free(copy);
}

enum { THREADS = 8 };
struct first_reading {
    const kinfolk_value *value;
    pthread_barrier_t *start;
    const char *const *texts;
};

static void *read_first(void *context) {
    struct first_reading *reading = context;
    size_t count = 0;
    pthread_barrier_wait(reading->start);
    if (kinfolk_value_get_strings(reading->value, &reading->texts, NULL, &count) != KINFOLK_OK || count != 2)
        reading->texts = NULL;
    return NULL;
}

/* The first read makes the arrays. All threads get the same arrays, whichever reads first. */
static void concurrent_first_reads_get_the_same_arrays(void) {
    static const char *const texts[] = { "one", "two" };
    struct first_reading readings[THREADS];
    pthread_t threads[THREADS];
    pthread_barrier_t start;
    int round, i;
    REQUIRE(pthread_barrier_init(&start, NULL, THREADS) == 0);
    for (round = 0; round < 200; round++) {
        kinfolk_value *value = NULL;
        OK(kinfolk_value_new_string_list(texts, NULL, 2, &value));
        for (i = 0; i < THREADS; i++) {
            readings[i].value = value;
            readings[i].start = &start;
            REQUIRE(pthread_create(&threads[i], NULL, read_first, &readings[i]) == 0);
        }
        for (i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
        REQUIRE(readings[0].texts != NULL);
        for (i = 0; i < THREADS; i++) CHECK(readings[i].texts == readings[0].texts);
        SAME(readings[0].texts[1], "two");
        kinfolk_value_free(value);
    }
    pthread_barrier_destroy(&start);
}

static kinfolk_value *inherited[VALUES];

static void use_inherited_values(void) {
    kinfolk_value *value = NULL;
    size_t i;
    for (i = 0; i < VALUES; i++) (void)reading_of(inherited[i], type_of_each(i), i < 8 ? 1 : 2);
    OK(kinfolk_value_new_int64(5, &value));
    EQUAL(reading_of(value, KINFOLK_INT64, 1).integers[0], 5);
    kinfolk_value_free(value);
    free_each(inherited);
}

static void values_can_be_read_and_made_in_a_forked_child(void) {
    make_one_of_each(inherited);
    (void)reading_of(inherited[0], KINFOLK_STRING, 1); /* this one also before the fork */
    in_child(use_inherited_values);
    (void)reading_of(inherited[8], KINFOLK_STRING_LIST, 2);
    free_each(inherited);
}

BEGIN
    RUN(numbers_keep_their_bits);
    RUN(booleans_locations_and_references_round_trip);
    RUN(texts_and_bytes_round_trip_with_their_lengths);
    RUN(a_nul_inside_a_text_needs_the_lengths);
    RUN(each_type_is_read_only_by_its_own_function);
    RUN(malformed_values_are_refused);
    RUN(a_value_has_a_million_bytes_at_most);
    RUN(single_values_come_back_as_they_were);
    RUN(values_of_each_type_come_back_in_their_order);
    RUN(an_empty_list_has_arrays_and_keeps_its_type);
    RUN(a_text_with_a_nul_is_stored_completely);
    RUN(a_value_of_another_type_is_refused);
    RUN(malformed_fields_are_refused_and_change_nothing);
    RUN(fields_have_names_until_they_are_removed);
    RUN(texts_stay_with_the_record_when_the_field_is_set_anew);
    RUN(a_value_and_its_record_do_not_change_each_other);
    RUN(concurrent_first_reads_get_the_same_arrays);
    RUN(values_can_be_read_and_made_in_a_forked_child);
END
