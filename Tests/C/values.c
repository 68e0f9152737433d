/* Values: the elements of a value are read back with the same type, bits and order; a value is independent of records. */

#include "harness.h"
#include "people.h"

#include "children.h"
#include "values.h"

#include <math.h>
#include <pthread.h>

#define OTHER_ID "_ffffffffffffffffffffffffffffffff"
#define MOST_BYTES 1000000

static const int64_t integers[] = { 0, 1, -1, INT64_MIN, INT64_MAX };

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

/* ---- Round trips */

static void numbers_keep_their_bits(void) {
    static const uint64_t bits[] = {
        0, 0x8000000000000000u /* -0.0 */, 1, 0x7ff0000000000000u, 0xfff0000000000000u, 0x7ff8000000000000u,
        0x7ff8dead00beef01u, 0xfff8000000000001u, 0x7ff0000000000001u /* signalling */
    };
    double doubles[COUNT(bits)];
    kinfolk_value *value = NULL;
    struct reading reading;
    size_t i;
    for (i = 0; i < COUNT(bits); i++) {
        doubles[i] = from_bits(bits[i]);
        OK(kinfolk_value_new_double(doubles[i], &value));
        reading = reading_of(value, KINFOLK_DOUBLE, 1);
        CHECK(same_bits(reading.numbers[0], doubles[i]));
        kinfolk_value_free(value);
    }
    OK(kinfolk_value_new_double_list(doubles, COUNT(doubles), &value));
    reading = reading_of(value, KINFOLK_DOUBLE_LIST, COUNT(doubles));
    CHECK(memcmp(reading.numbers, doubles, sizeof doubles) == 0);
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

static void an_empty_list_has_arrays_and_keeps_its_type(void) {
    kinfolk_value *lists[8];
    struct reading reading;
    size_t i;
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
        kinfolk_value_free(lists[i]);
    }
}

/* ---- NULs */

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

/* ---- Refused values */

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
    static const double bad[] = { 90.0000001, -90.0000001, 1e300, INFINITY, -INFINITY, NAN };
    static const char *const ids[] = { "", "_", "largo\xcc\x81", "_0123456789ABCDEF0123456789ABCDEF",
                                       "_0123456789abcdef0123456789abcdef0", "_0123456789abcdef0123456789abcde\xff" };
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

/* ---- Independence of records and threads */

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
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_record_set_value(record, "1", value));
    kinfolk_record_free(other);
    free_record();
    CHECK(reading.integers[0] == 1 && reading.integers[1] == 2 && reading.integers[2] == 3);
    CHECK(memcmp(reading_of(copy, KINFOLK_INT64_LIST, 3).integers, reading.integers, sizeof list) == 0);
    kinfolk_value_free(value);
    kinfolk_value_free(copy);
}

static void values_of_each_type_round_trip_through_the_store(void) {
    kinfolk_value *values[VALUES], *value = NULL;
    char name[16];
    size_t i;
    make_record();
    OK(kinfolk_container_set_field_limit(notes, 100));
    make_one_of_each(values);
    for (i = 0; i < VALUES; i++) {
        snprintf(name, sizeof name, "field%d", (int)i);
        OK(kinfolk_record_set_value(record, name, values[i]));
    }
    save_and_fetch();
    for (i = 0; i < VALUES; i++) {
        snprintf(name, sizeof name, "field%d", (int)i);
        OK(kinfolk_record_get_value(record, name, &value));
        (void)reading_of(value, type_of_each(i), i < 8 ? 1 : 2);
        OK(kinfolk_record_set_value(record, name, values[(i + 1) % VALUES])); /* of another type */
        FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_record_save(session, record, KINFOLK_SAVE_ALL_KEYS));
        OK(kinfolk_record_set_value(record, name, value));
        kinfolk_value_free(value);
    }
    OK(kinfolk_record_save(session, record, KINFOLK_SAVE_IF_UNCHANGED));
    free_each(values);
    free_record();
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
    RUN(an_empty_list_has_arrays_and_keeps_its_type);
    RUN(a_nul_inside_a_text_needs_the_lengths);
    RUN(a_text_with_a_nul_is_stored_completely);
    RUN(each_type_is_read_only_by_its_own_function);
    RUN(malformed_values_are_refused);
    RUN(a_value_has_a_million_bytes_at_most);
    RUN(a_value_and_its_record_do_not_change_each_other);
    RUN(values_of_each_type_round_trip_through_the_store);
    RUN(concurrent_first_reads_get_the_same_arrays);
    RUN(values_can_be_read_and_made_in_a_forked_child);
END
