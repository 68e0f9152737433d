/* The fields of a user record: a value that was set is read back with the same type, bits and order. */

#include "harness.h"
#include "people.h"
#include "values.h"

#include <math.h>

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
static const int64_t integers[] = { 0, 1, -1, INT64_MIN, INT64_MAX, INT32_MIN, 1LL << 53, (1LL << 53) + 1 };
static const uint64_t doubles[] = {
    0, 0x8000000000000000u /* -0.0 */, 0x3fb999999999999au /* 0.1 */, 1 /* the smallest */, 0x7fefffffffffffffu,
    0x7ff0000000000000u, 0xfff0000000000000u, 0x7ff8000000000000u, 0x7ff8dead00beef01u, 0xfff8000000000001u,
    0x7ff0000000000001u /* signalling */, 0x4340000000000000u /* 2^53, a whole number */,
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

static void lists_come_back_in_their_order(void) {
    static const bool booleans[] = { true, false, false, true, true };
    static const double latitudes[] = { 90, -0.0, 12.5 }, longitudes[] = { -180, 0.0, 1e-12 };
    static const uint8_t first[] = { 0, 255, 0 }, last[] = { 7 };
    const uint8_t *const chunks[] = { first, first, last };
    static const size_t lengths[] = { 3, 0, 1 };
    static const char *const references[] = { NOBODY, "_ffffffffffffffffffffffffffffffff", NOBODY };
    double numbers[COUNT(doubles)];
    kinfolk_value *lists[8], *list = NULL;
    size_t i;
    for (i = 0; i < COUNT(doubles); i++) numbers[i] = from_bits(doubles[i]);
    OK(kinfolk_value_new_string_list(strings, NULL, COUNT(strings), &lists[0]));
    OK(kinfolk_value_new_int64_list(integers, COUNT(integers), &lists[1]));
    OK(kinfolk_value_new_double_list(numbers, COUNT(numbers), &lists[2]));
    OK(kinfolk_value_new_boolean_list(booleans, COUNT(booleans), &lists[3]));
    OK(kinfolk_value_new_bytes_list(chunks, lengths, COUNT(chunks), &lists[4]));
    OK(kinfolk_value_new_date_list(integers, COUNT(integers), &lists[5]));
    OK(kinfolk_value_new_location_list(latitudes, longitudes, COUNT(latitudes), &lists[6]));
    OK(kinfolk_value_new_reference_list(references, NULL, NULL, COUNT(references), &lists[7]));
    make_record();
    for (i = 0; i < COUNT(lists); i++) OK(kinfolk_record_set_value(record, nth("list", i), lists[i]));
    save_and_fetch();
    for (i = 0; i < COUNT(lists); i++) {
        check_field(nth("list", i), (kinfolk_field_type)(KINFOLK_STRING_LIST + i), kinfolk_value_count(lists[i]));
        OK(kinfolk_record_get_value(record, nth("list", i), &list));
        check_same_value(list, lists[i]);
        kinfolk_value_free(list);
        kinfolk_value_free(lists[i]);
    }
    free_record();
}

static void an_empty_list_keeps_its_type(void) {
    kinfolk_value *lists[8];
    size_t i;
    OK(kinfolk_value_new_string_list(NULL, NULL, 0, &lists[0]));
    OK(kinfolk_value_new_int64_list(NULL, 0, &lists[1]));
    OK(kinfolk_value_new_double_list(NULL, 0, &lists[2]));
    OK(kinfolk_value_new_boolean_list(NULL, 0, &lists[3]));
    OK(kinfolk_value_new_bytes_list(NULL, NULL, 0, &lists[4]));
    OK(kinfolk_value_new_date_list(NULL, 0, &lists[5]));
    OK(kinfolk_value_new_location_list(NULL, NULL, 0, &lists[6]));
    OK(kinfolk_value_new_reference_list(NULL, NULL, NULL, 0, &lists[7]));
    make_record();
    for (i = 0; i < COUNT(lists); i++) set_and_free(record, nth("list", i), lists[i]);
    save_and_fetch();
    for (i = 0; i < COUNT(lists); i++)
        check_field(nth("list", i), (kinfolk_field_type)(KINFOLK_STRING_LIST + i), 0);
    OK(kinfolk_record_set_int64(record, "list00", 1));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_record_save(session, record, KINFOLK_SAVE_ALL_KEYS)); /* also when empty */
    free_record();
}

static void spelling_a_string_otherwise_changes_it(void) {
    const char *text = NULL;
    make_record();
    OK(kinfolk_record_set_string(record, "cafe", "caf\xc3\xa9"));
    save_and_fetch();
    OK(kinfolk_record_set_string(record, "cafe", "cafe\xcc\x81"));
    OK(kinfolk_record_save(session, record, KINFOLK_SAVE_CHANGED_KEYS));
    kinfolk_record_free(record);
    record = own_record(session, KINFOLK_DATABASE_PUBLIC);
    OK(kinfolk_record_get_string(record, "cafe", &text));
    SAME(text, "cafe\xcc\x81");
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

static void malformed_values_are_refused_and_change_nothing(void) {
    static const double bad[] = { 90.0000001, -90.0000001, 1e300, INFINITY, -INFINITY, NAN };
    static const char *const ids[] = { "", "_", "largo\xcc\x81", "_0123456789ABCDEF0123456789ABCDEF", "_0123456789abcdef0123456789abcdef0", "_0123456789abcdef0123456789abcde\xff" };
    size_t i;
    make_record();
    for (i = 0; i < COUNT(bad); i++) {
        FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_record_set_location(record, "place", bad[i], 0));
        FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_record_set_location(record, "place", 0, bad[i] * 2));
    }
    for (i = 0; i < COUNT(ids); i++)
        FAILS(KINFOLK_INVALID_ARGUMENT,
              kinfolk_record_set_reference(record, "friend", ids[i], NULL, KINFOLK_REFERENCE_NONE));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_record_set_string(record, "text", "\xc3\x28"));
    EQUAL(kinfolk_record_field_count(record), 0);
    free_record();
}

static void a_fields_name_has_rules(void) {
    static const char *const bad[] = { "", "1a", "_a", "a-b", "a b", "a.b", "a\n", "\xc3\xa4", "a\xff", "@" };
    char longest[258];
    kinfolk_value *value = NULL;
    size_t i;
    memset(longest, 'n', sizeof longest);
    longest[255] = '\0';
    OK(kinfolk_value_new_string_list(NULL, NULL, 0, &value));
    make_record();
    for (i = 0; i < COUNT(bad); i++) {
        FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_record_set_int64(record, bad[i], 1));
        FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_record_set_value(record, bad[i], value));
    }
    OK(kinfolk_record_set_int64(record, longest, 1));
    longest[255] = 'n';
    longest[256] = '\0';
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_record_set_int64(record, longest, 1));
    OK(kinfolk_record_set_int64(record, "a", 1));
    OK(kinfolk_record_set_int64(record, "Z_9_z", 1));
    save_and_fetch();
    EQUAL(kinfolk_record_field_count(record), 3);
    kinfolk_value_free(value);
    free_record();
}

static void fields_are_in_the_order_of_their_names_by_bytes(void) {
    static const char *const order[] = { "B", "Z", "a", "a0", "a9", "aB", "a_", "aa", "ab", "b" };
    size_t i;
    make_record();
    for (i = 0; i < COUNT(order); i++) OK(kinfolk_record_set_int64(record, order[(i * 7) % COUNT(order)], (int64_t)i));
    for (i = 0; i < COUNT(order); i++) SAME(kinfolk_record_field_name(record, i), order[i]);
    save_and_fetch();
    EQUAL(kinfolk_record_field_count(record), COUNT(order));
    for (i = 0; i < COUNT(order); i++) SAME(kinfolk_record_field_name(record, i), order[i]);
    CHECK(kinfolk_record_field_name(record, COUNT(order)) == NULL);
    CHECK(kinfolk_record_field_name(record, SIZE_MAX) == NULL);
    free_record();
}

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

static void a_field_that_is_not_there_cannot_be_removed(void) {
    kinfolk_field_type type;
    make_record();
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_record_remove(record, "motto"));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_record_field_type(record, "motto", &type));
    OK(kinfolk_record_set_int64(record, "motto", 1));
    OK(kinfolk_record_remove(record, "motto"));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_record_remove(record, "motto"));
    EQUAL(kinfolk_record_field_count(record), 0);
    free_record();
}

static void a_field_may_change_its_type_before_it_was_ever_saved(void) {
    const char *text = NULL;
    make_record();
    OK(kinfolk_record_set_int64(record, "answer", 42));
    OK(kinfolk_record_set_string(record, "answer", "forty-two"));
    save_and_fetch();
    OK(kinfolk_record_get_string(record, "answer", &text));
    SAME(text, "forty-two");
    free_record();
}

BEGIN
    RUN(single_values_come_back_as_they_were);
    RUN(lists_come_back_in_their_order);
    RUN(an_empty_list_keeps_its_type);
    RUN(spelling_a_string_otherwise_changes_it);
    RUN(a_value_of_another_type_is_refused);
    RUN(malformed_values_are_refused_and_change_nothing);
    RUN(a_fields_name_has_rules);
    RUN(fields_are_in_the_order_of_their_names_by_bytes);
    RUN(texts_stay_with_the_record_when_the_field_is_set_anew);
    RUN(a_field_that_is_not_there_cannot_be_removed);
    RUN(a_field_may_change_its_type_before_it_was_ever_saved);
END
