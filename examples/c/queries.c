/* Queries, step by step. The program makes its store, "queries.db", in the folder where it runs. */
#include <kinfolk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void must(kinfolk_status status) {
    if (status == KINFOLK_OK) return;
    fprintf(stderr, "%s: %s\n", kinfolk_status_name(status), kinfolk_error_message());
    exit(EXIT_FAILURE);
}

static int64_t in_days(int days) { return ((int64_t)time(NULL) + (int64_t)days * 86400) * 1000000; }

/* ---- 1. Records, and the indexes that their queries need */

static const char event_type[] = "DEFINE SCHEMA\n"
                                 "RECORD TYPE Event (\n"
                                 "    name  STRING QUERYABLE,\n"
                                 "    start TIMESTAMP SORTABLE,\n"
                                 "    place LOCATION QUERYABLE,\n"
                                 "    tags  LIST<STRING> QUERYABLE,\n"
                                 "    notes STRING SEARCHABLE,\n"
                                 "    seats INT64\n"
                                 ");\n";

static const struct {
    const char *record, *name;
    int days;
    double latitude;
    const char *tags[2];
    size_t tag_count;
    const char *notes;
    int64_t seats;
} events[] = {
    { "standup", "Meeting", 1, 47.37, { "work" }, 1, "Bring the plan", 8 },
    { "review", "Review", 2, 47.38, { "work" }, 1, "Drinks after the session", 20 },
    { "party", "Garden party", 3, 48.86, { "home", "friends" }, 2, "Bring a salad", 30 },
    { "concert", "Concert", 5, 46.95, { "friends" }, 1, "Doors open at seven", 400 },
    { "retro", "Meeting", 8, 47.37, { "work" }, 1, "What to change", 8 },
};

static void save_events(const kinfolk_database *database) {
    size_t i;
    for (i = 0; i < sizeof events / sizeof events[0]; i++) {
        kinfolk_record *event;
        kinfolk_value *tags;
        must(kinfolk_record_new("Event", events[i].record, NULL, &event));
        must(kinfolk_record_set_string(event, "name", events[i].name));
        must(kinfolk_record_set_date(event, "start", in_days(events[i].days)));
        must(kinfolk_record_set_location(event, "place", events[i].latitude, 8.54));
        must(kinfolk_value_new_string_list(events[i].tags, NULL, events[i].tag_count, &tags));
        must(kinfolk_record_set_value(event, "tags", tags));
        must(kinfolk_record_set_string(event, "notes", events[i].notes));
        must(kinfolk_record_set_int64(event, "seats", events[i].seats));
        must(kinfolk_database_save(database, event, KINFOLK_SAVE_IF_UNCHANGED));
        kinfolk_value_free(tags);
        kinfolk_record_free(event);
    }
}

/* ---- 2. Predicates: a text with placeholders, to which values are bound */

static kinfolk_query *query_for(const char *predicate) {
    kinfolk_query *query;
    must(kinfolk_query_new("Event", predicate, &query));
    return query;
}

/* Binds a value, and frees it. */
static void bind_value(kinfolk_query *query, kinfolk_value *value) {
    must(kinfolk_query_bind(query, value));
    kinfolk_value_free(value);
}

static void bind_text(kinfolk_query *query, const char *text) {
    kinfolk_value *value;
    must(kinfolk_value_new_string(text, strlen(text), &value));
    bind_value(query, value);
}

static void bind_date(kinfolk_query *query, int64_t microseconds) {
    kinfolk_value *value;
    must(kinfolk_value_new_date(microseconds, &value));
    bind_value(query, value);
}

static void bind_location(kinfolk_query *query, double latitude, double longitude) {
    kinfolk_value *value;
    must(kinfolk_value_new_location(latitude, longitude, &value));
    bind_value(query, value);
}

/* Prints the names of the records on a page. */
static void print_page(const kinfolk_page *page, const char *field) {
    size_t i;
    for (i = 0; i < kinfolk_page_count(page); i++) {
        kinfolk_record *record;
        const char *name;
        must(kinfolk_page_record(page, i, &record));
        if (field == NULL) name = kinfolk_record_name(record);
        else must(kinfolk_record_get_string(record, field, &name));
        printf("%s%s", i == 0 ? "" : ", ", name);
        kinfolk_record_free(record);
    }
    printf("\n");
}

/* Prints what a query finds, and frees it. The first page has 100 records: all there are. */
static void show(const char *label, kinfolk_query *query, const kinfolk_database *database) {
    kinfolk_page *page;
    must(kinfolk_query_run(query, database, NULL, 0, &page));
    printf("%s: ", label);
    print_page(page, NULL);
    kinfolk_page_free(page);
    kinfolk_query_free(query);
}

static void find_events(const kinfolk_database *database) {
    kinfolk_query *query = query_for("start > %@ AND name = %@");
    kinfolk_page *page;
    size_t i;
    bind_date(query, in_days(0));
    bind_text(query, "Meeting");
    must(kinfolk_query_sort(query, "start", true));
    must(kinfolk_query_run(query, database, NULL, 0, &page));
    for (i = 0; i < kinfolk_page_count(page); i++) {
        kinfolk_record *record;
        must(kinfolk_page_record(page, i, &record));
        printf("%s\n", kinfolk_record_name(record));
        kinfolk_record_free(record);
    }
    kinfolk_page_free(page);
    kinfolk_query_free(query);

    query = query_for("start > %@ AND start < %@");
    bind_date(query, in_days(0));
    bind_date(query, in_days(7));
    must(kinfolk_query_sort(query, "start", true));
    show("This week", query, database);

    query = query_for("%K = %@");
    bind_text(query, "name");
    bind_text(query, "Concert");
    show("By a key", query, database);

    query = query_for("distanceToLocation:fromLocation:(place, %@) < 2000");
    bind_location(query, 47.37, 8.54);
    must(kinfolk_query_sort(query, "start", true));
    show("Near", query, database);

    query = query_for("tags CONTAINS %@");
    bind_text(query, "friends");
    must(kinfolk_query_sort(query, "start", true));
    show("With friends", query, database);

    query = query_for("ALL tokenize(%@, 'Cdl') IN allTokens");
    bind_text(query, "after session");
    show("With these words", query, database);

    show("Large", query_for("seats >= 20 AND NOT name IN {'Concert', 'Review'}"), database);
}

/* ---- 3. Orders, pages, counts */

static void show_pages(const kinfolk_database *database) {
    static const char *const keys[] = { "name" };
    kinfolk_query *query = query_for(NULL);
    kinfolk_page *page = NULL, *next;
    const uint8_t *cursor = NULL;
    size_t length = 0, count;
    must(kinfolk_query_sort_by_distance(query, "place", 47.37, 8.54));
    must(kinfolk_query_sort(query, "start", false));
    show("Nearest first", query, database);

    query = query_for(NULL);
    must(kinfolk_query_sort(query, "start", false));
    must(kinfolk_query_keys(query, keys, 1));
    must(kinfolk_query_limit(query, 2));
    do {
        must(kinfolk_query_run(query, database, cursor, length, &next));
        kinfolk_page_free(page); /* the cursor was borrowed from it */
        page = next;
        printf("A page: ");
        print_page(page, "name");
        must(kinfolk_page_cursor(page, &cursor, &length));
    } while (length > 0);
    must(kinfolk_query_count(query, database, &count));
    printf("Counted: %lu\n", (unsigned long)count);
    kinfolk_page_free(page);
    kinfolk_query_free(query);
}

/* ---- 4. How a query is answered */

static void explain(const kinfolk_database *database) {
    kinfolk_query *query = query_for("start > %@ AND seats >= 20");
    kinfolk_explanation *explanation;
    size_t i, count;
    bind_date(query, in_days(0));
    must(kinfolk_query_sort(query, "start", true));
    must(kinfolk_query_explain(query, database, &explanation));
    printf("Uses: ");
    for (i = 0; i < kinfolk_explanation_index_count(explanation); i++)
        printf("%s%s", i == 0 ? "" : ", ", kinfolk_explanation_index(explanation, i));
    printf("\nLacks: ");
    for (i = 0; i < kinfolk_explanation_missing_count(explanation); i++)
        printf("%s%s", i == 0 ? "" : ", ", kinfolk_explanation_missing(explanation, i));
    printf("\nOpened and discarded: %lu\n", (unsigned long)kinfolk_explanation_records_discarded(explanation));
    kinfolk_explanation_free(explanation);
    kinfolk_query_free(query);

    query = query_for("seats >= 20 AND"); /* its text is read when it runs */
    if (kinfolk_query_count(query, database, &count) == KINFOLK_INVALID_ARGUMENT)
        printf("Refused: %s\n", kinfolk_error_message());
    kinfolk_query_free(query);
}

int main(void) {
    kinfolk_service *service;
    kinfolk_container *production, *calendar;
    kinfolk_account *ada;
    kinfolk_session *session;
    kinfolk_database *database;

    must(kinfolk_service_open("queries.db", NULL, &service));
    must(kinfolk_container_create(service, "com.example.calendar", &production));
    must(kinfolk_container_open_environment(service, "com.example.calendar", KINFOLK_ENVIRONMENT_DEVELOPMENT,
                                            &calendar));
    must(kinfolk_account_create(service, "Ada", "Example", &ada));
    must(kinfolk_session_open(calendar, ada, &session));
    must(kinfolk_session_database(session, KINFOLK_DATABASE_PRIVATE, &database));
    must(kinfolk_schema_apply(calendar, event_type, false, NULL));

    save_events(database);
    find_events(database);
    show_pages(database);
    explain(database);

    kinfolk_database_free(database); /* handles may be freed in any order */
    kinfolk_session_free(session);
    kinfolk_account_free(ada);
    kinfolk_container_free(calendar);
    kinfolk_container_free(production);
    kinfolk_service_free(service);
    return EXIT_SUCCESS;
}
