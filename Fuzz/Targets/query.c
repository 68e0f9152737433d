/*
 * Queries: the text of a predicate, its arguments, sort descriptors, zones, fields and cursors. A query is refused with one sentence, or it
 * finds records: the same ones whatever the size of the pages, as many as are counted, and its negation finds exactly the others.
 */

#include "fuzz.h"
#include "fields.h"
#include "store.h"

enum { RECORDS = 12, MOST_ARGUMENTS = 6, LONGEST_CURSOR = 4096 };

static kinfolk_database *database;

static const char schema[] = "DEFINE SCHEMA\n"
                             "RECORD TYPE Note (\n"
                             "    number INT64 QUERYABLE SORTABLE,\n"
                             "    real   DOUBLE QUERYABLE,\n"
                             "    done   INT64 /* kinfolk: boolean */,\n"
                             "    title  STRING QUERYABLE SORTABLE,\n"
                             "    data   BYTES QUERYABLE,\n"
                             "    due    TIMESTAMP SORTABLE,\n"
                             "    place  LOCATION,\n"
                             "    other  REFERENCE QUERYABLE,\n"
                             "    tags   LIST<STRING> QUERYABLE,\n"
                             "    counts LIST<INT64>\n"
                             ");\n";

static const char *const titles[] = { "", "Groceries", "groceries", "\xc3\x84pfel", "A\xcc\x88pfel", "Stra\xc3\x9f" "e" };

/* Records "0" to "11", each without some of the fields. */
static void save_record(int i) {
    static const char *const tags[] = { "home", "Work", "" };
    static const int64_t counts[] = { -1, 0, 1 };
    kinfolk_record *record = NULL;
    kinfolk_value *value = NULL;
    char name[8];
    snprintf(name, sizeof name, "%d", i);
    OK(kinfolk_record_new("Note", name, NULL, &record));
    if (i % 6 != 5) OK(kinfolk_record_set_int64(record, "number", i % 4 == 3 ? INT64_MIN : i - 4));
    if (i % 5 != 4) OK(kinfolk_record_set_double(record, "real", i == 6 ? NAN : i == 7 ? -0.0 : i / 2.0));
    if (i % 3 != 2) OK(kinfolk_record_set_boolean(record, "done", i % 2 == 0));
    if (i % 7 != 6) OK(kinfolk_record_set_string(record, "title", titles[i % 6]));
    if (i % 4 != 3) OK(kinfolk_record_set_bytes(record, "data", (const uint8_t *)titles[i % 6], (size_t)(i % 2)));
    if (i % 3 != 1) OK(kinfolk_record_set_date(record, "due", (int64_t)i * 1000000));
    if (i % 2 != 1) OK(kinfolk_record_set_location(record, "place", i == 0 ? 90 : i, i == 2 ? 180 : -i));
    if (i % 4 == 1) OK(kinfolk_record_set_reference(record, "other", "0", NULL, KINFOLK_REFERENCE_NONE));
    OK(kinfolk_value_new_string_list(tags, NULL, (size_t)(i % 4), &value));
    OK(kinfolk_record_set_value(record, "tags", value));
    kinfolk_value_free(value);
    OK(kinfolk_value_new_int64_list(counts, (size_t)(i % 3), &value));
    if (i % 2 == 0) OK(kinfolk_record_set_value(record, "counts", value));
    kinfolk_value_free(value);
    OK(kinfolk_database_save(database, record, KINFOLK_SAVE_IF_UNCHANGED));
    kinfolk_record_free(record);
}

static void begin(void) {
    static kinfolk_service *service; /* open while its sessions are used */
    kinfolk_account *ada;
    kinfolk_container *container = NULL;
    kinfolk_session *session = NULL;
    int i;
    kinfolk_service_free(service);
    service = store_make();
    ada = store_person(service, "Ada", "ada@example.com");
    OK(kinfolk_container_create(service, NOTES, &container));
    OK(kinfolk_schema_apply(container, schema, false, NULL));
    OK(kinfolk_session_open(container, ada, &session));
    OK(kinfolk_session_database(session, KINFOLK_DATABASE_PRIVATE, &database));
    OK(kinfolk_zone_save(database, "Empty"));
    for (i = 0; i < RECORDS; i++) save_record(i);
    kinfolk_session_free(session);
    kinfolk_container_free(container);
    kinfolk_account_free(ada);
}

/* The records that a query finds, in their order. */
struct found {
    size_t count;
    int numbers[RECORDS];
};

static kinfolk_status find(kinfolk_query *query, size_t limit, struct found *found) {
    uint8_t cursor[LONGEST_CURSOR];
    size_t length = 0, pages = 0, i;
    found->count = 0;
    OK(kinfolk_query_limit(query, limit));
    do {
        kinfolk_page *page = NULL;
        const uint8_t *next = NULL;
        kinfolk_status status = kinfolk_query_run(query, database, cursor, length, &page);
        HOLDS((page == NULL) == (status != KINFOLK_OK));
        if (status != KINFOLK_OK) {
            HOLDS(pages == 0);
            return status;
        }
        HOLDS(pages++ <= RECORDS && kinfolk_page_count(page) <= limit);
        for (i = 0; i < kinfolk_page_count(page); i++) {
            kinfolk_record *record = NULL;
            OK(kinfolk_page_record(page, i, &record));
            HOLDS(found->count < RECORDS);
            found->numbers[found->count++] = atoi(kinfolk_record_name(record));
            kinfolk_record_free(record);
        }
        OK(kinfolk_page_cursor(page, &next, &length));
        HOLDS(length <= LONGEST_CURSOR && (length == 0 || kinfolk_page_count(page) > 0));
        if (length > 0) memcpy(cursor, next, length);
        kinfolk_page_free(page);
    } while (length > 0);
    return KINFOLK_OK;
}

/* Each record once: a bit for each. */
static unsigned set_of(const struct found *found) {
    unsigned set = 0;
    size_t i;
    for (i = 0; i < found->count; i++) {
        HOLDS((set & 1u << found->numbers[i]) == 0);
        set |= 1u << found->numbers[i];
    }
    return set;
}

static void explain(const kinfolk_query *query) {
    kinfolk_explanation *explanation = NULL;
    size_t i;
    OK(kinfolk_query_explain(query, database, &explanation));
    for (i = 0; i < kinfolk_explanation_index_count(explanation); i++)
        HOLDS(is_one_line(kinfolk_explanation_index(explanation, i)));
    for (i = 0; i < kinfolk_explanation_missing_count(explanation); i++)
        HOLDS(is_one_line(kinfolk_explanation_missing(explanation, i)));
    HOLDS(!kinfolk_explanation_exceeds_limit(explanation)); /* there are few records */
    HOLDS(kinfolk_explanation_records_discarded(explanation) <= kinfolk_explanation_records_opened(explanation));
    kinfolk_explanation_free(explanation);
}

/* The values that are bound to a predicate and to its negation. */
struct arguments {
    size_t count;
    kinfolk_value *values[MOST_ARGUMENTS];
};

static kinfolk_query *make_query(const char *predicate, const struct arguments *arguments) {
    kinfolk_query *query = NULL;
    size_t i;
    if (kinfolk_query_new("Note", predicate, &query) != KINFOLK_OK) return NULL;
    for (i = 0; i < arguments->count; i++) OK(kinfolk_query_bind(query, arguments->values[i]));
    return query;
}

/* The negation of a predicate that is valid finds the records that the predicate does not find. */
static void negate(const char *predicate, const struct arguments *arguments, unsigned set) {
    static const char before[] = "NOT (", after[] = "\n)";
    size_t length = strlen(predicate);
    char *text = malloc(length + sizeof before + sizeof after);
    kinfolk_query *query;
    struct found found;
    HOLDS(text != NULL);
    memcpy(text, before, sizeof before);
    strcat(strcat(text, length == 0 ? "TRUEPREDICATE" : predicate), after);
    query = make_query(text, arguments);
    if (query == NULL) {
        FAILED(KINFOLK_LIMIT_EXCEEDED, KINFOLK_LIMIT_EXCEEDED, KINFOLK_LIMIT_EXCEEDED);
    } else {
        kinfolk_status status = find(query, RECORDS + 1, &found);
        if (status != KINFOLK_OK) FAILED(status, KINFOLK_LIMIT_EXCEEDED, KINFOLK_LIMIT_EXCEEDED);
        else HOLDS((set ^ set_of(&found)) == (1u << RECORDS) - 1);
    }
    kinfolk_query_free(query);
    free(text);
}

static struct arguments take_arguments(input *in, size_t count) {
    struct arguments arguments = { 0, { NULL } };
    while (arguments.count < count) {
        field value;
        kinfolk_value *made = NULL;
        kinfolk_status status;
        memset(&value, 0, sizeof value);
        value.type = field_types[take_byte(in) % 16];
        take_value(&value, in);
        status = make_value(&value, &made);
        if (status != KINFOLK_OK) OK(kinfolk_value_new_int64(0, &made));
        arguments.values[arguments.count++] = made;
        field_end(&value);
    }
    return arguments;
}

/* Orders, with names that the input holds. Returns whether one was accepted. */
static bool take_order(kinfolk_query *query, input *in) {
    uint8_t choice = take_byte(in);
    char *name = take_text(in);
    double latitude = take_double(in), longitude = take_double(in);
    kinfolk_status status = choice & 1 ? kinfolk_query_sort_by_distance(query, name, latitude, longitude)
                                       : kinfolk_query_sort(query, name, choice & 2);
    if (status != KINFOLK_OK) FAILED(status, KINFOLK_INVALID_ARGUMENT, KINFOLK_LIMIT_EXCEEDED);
    free(name);
    return status == KINFOLK_OK;
}

/* Any bytes as a cursor, any text as a zone and as the name of a field. */
static void use_oddities(kinfolk_query *query, input *in) {
    size_t length;
    const uint8_t *bytes = take_bytes(in, &length);
    char *text = take_text(in);
    const char *keys[1];
    kinfolk_page *page = NULL;
    kinfolk_status status;
    struct found found;
    keys[0] = text;
    if (length > 0) {
        status = kinfolk_query_run(query, database, bytes, length, &page);
        FAILED(status, KINFOLK_INVALID_ARGUMENT, KINFOLK_LIMIT_EXCEEDED);
    }
    status = kinfolk_query_keys(query, keys, 1);
    HOLDS((status == KINFOLK_OK) == is_utf_8(text, strlen(text)));
    status = kinfolk_query_zone(query, text);
    if (status != KINFOLK_OK) FAILED(status, KINFOLK_INVALID_ARGUMENT, KINFOLK_INVALID_ARGUMENT);
    else if (strcmp(text, "Empty") != 0 && strcmp(text, "_defaultZone") != 0)
        FAILED(kinfolk_query_run(query, database, NULL, 0, &page), KINFOLK_ZONE_NOT_FOUND, KINFOLK_ZONE_NOT_FOUND);
    OK(kinfolk_query_zone(query, "Empty"));
    OK(find(query, 1, &found));
    HOLDS(found.count == 0);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    input in = { data, size };
    uint8_t choice = take_byte(&in);
    struct arguments arguments = take_arguments(&in, choice % (MOST_ARGUMENTS + 1));
    char *predicate = take_text(&in);
    kinfolk_query *query = make_query(predicate, &arguments);
    struct found found, again;
    kinfolk_status status;
    size_t count = 0, i;
    if (database == NULL) begin();
    if (query == NULL) {
        HOLDS(kinfolk_error_message()[0] != '\0' && is_one_line(kinfolk_error_message()));
    } else {
        for (i = choice >> 6; i > 0; i--) take_order(query, &in);
        status = find(query, RECORDS + 1, &found);
        if (status != KINFOLK_OK) {
            FAILED(status, KINFOLK_INVALID_ARGUMENT, KINFOLK_LIMIT_EXCEEDED);
            HOLDS(kinfolk_query_count(query, database, &count) != KINFOLK_OK);
        } else {
            OK(find(query, choice % 5 + 1, &again));
            HOLDS(found.count == again.count);
            HOLDS(memcmp(found.numbers, again.numbers, found.count * sizeof found.numbers[0]) == 0);
            OK(kinfolk_query_count(query, database, &count));
            HOLDS(count == found.count);
            explain(query);
            if (predicate[0] != '\0' || arguments.count == 0) negate(predicate, &arguments, set_of(&found));
            use_oddities(query, &in);
        }
    }
    kinfolk_query_free(query);
    for (i = 0; i < arguments.count; i++) kinfolk_value_free(arguments.values[i]);
    free(predicate);
    return 0;
}
