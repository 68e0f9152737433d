/* Containers: their names, and their separation from each other. */

#include "harness.h"
#include "people.h"

#include <math.h>

static void a_container_is_made_once_and_opened_many_times(void) {
    kinfolk_service *service = open_store();
    kinfolk_container *made = make_container(service, NOTES), *opened = NULL, *again = NULL;
    SAME(kinfolk_container_name(made), NOTES);
    OK(kinfolk_container_open(service, NOTES, &opened));
    SAME(kinfolk_container_name(opened), NOTES);
    FAILS(KINFOLK_CONFLICT, kinfolk_container_create(service, NOTES, &again));
    CHECK(again == NULL);
    kinfolk_container_free(made);
    kinfolk_container_free(opened);
    kinfolk_service_free(service);

    service = open_store();
    OK(kinfolk_container_open(service, NOTES, &again));
    kinfolk_container_free(again);
    kinfolk_service_free(service);
}

static void a_name_is_reverse_dns(void) {
    static const char *const good[] = { "a.b", "com.example.notes", "com.Example.Notes", "com.ex-ample.n0tes", "1.2", "x--y.z" };
    static const char *const bad[] = {
        "", ".", "com", "com.", ".com", "com..notes", "com.example.", "-com.notes", "com-.notes", "com.-notes",
        "com.notes-", "com.exa_mple", "com.exa mple", "com.example/notes", ("com.b\xc3\xbc" "cher"), "com.\xff", "com.notes\n",
    };
    kinfolk_service *service = open_store();
    kinfolk_container *container = NULL;
    size_t i;
    for (i = 0; i < sizeof good / sizeof good[0]; i++) {
        container = make_container(service, good[i]);
        SAME(kinfolk_container_name(container), good[i]);
        kinfolk_container_free(container);
    }
    container = NULL;
    for (i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_container_create(service, bad[i], &container));
        FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_container_open(service, bad[i], &container));
        if (harness.faults > 0) printf("        with case %d\n", (int)i);
    }
    CHECK(container == NULL);
    kinfolk_service_free(service);
}

static void a_name_has_255_bytes_at_most(void) {
    char name[300];
    kinfolk_service *service = open_store();
    kinfolk_container *container = NULL;
    int i;
    for (i = 0; i < 256; i++) name[i] = i % 50 == 49 ? '.' : 'a';
    name[255] = '\0';
    container = make_container(service, name);
    kinfolk_container_free(container);
    container = NULL;
    name[255] = 'a';
    name[256] = '\0';
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_container_create(service, name, &container));
    CHECK(container == NULL);
    kinfolk_service_free(service);
}

static void letter_case_matters(void) {
    kinfolk_service *service = open_store();
    kinfolk_container *lower = make_container(service, "com.example.notes"), *upper = NULL;
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_container_open(service, "com.example.Notes", &upper));
    upper = make_container(service, "com.example.Notes");
    kinfolk_container_free(lower);
    kinfolk_container_free(upper);
    kinfolk_service_free(service);
}

static void a_missing_container_is_unknown(void) {
    kinfolk_service *service = open_store();
    kinfolk_container *container = NULL;
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_container_open(service, NOTES, &container));
    CHECK(container == NULL);
    kinfolk_service_free(service);
}

static void the_capacity_is_at_least_one_and_the_rate_is_a_number(void) {
    kinfolk_service *service = open_store();
    kinfolk_container *container = make_container(service, NOTES);
    kinfolk_session *session = make_findable(service, container, "Ada", "Lovelace", "ada@example.com");
    kinfolk_identities *identities = NULL;
    static const double rates[] = { 0, -0.0, 1e-300, 1e300, INFINITY };
    size_t i;
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_container_set_permits(container, 0, 10, 0));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_container_set_permits(container, 3, -1, 3));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_container_set_permits(container, 3, -INFINITY, 3));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_container_set_permits(container, 3, NAN, 3));
    for (i = 0; i < sizeof rates / sizeof rates[0]; i++) {
        kinfolk_status status = kinfolk_container_set_permits(container, UINT32_MAX, rates[i], UINT32_MAX);
        if (!isinf(rates[i])) EQUAL(status, KINFOLK_OK);
        OK(kinfolk_discover_email(session, "grace@example.com", &identities)); /* whatever the numbers, no crash */
        kinfolk_identities_free(identities);
    }
    kinfolk_session_free(session);
    kinfolk_container_free(container);
    kinfolk_service_free(service);
}

static void removing_a_field_frees_its_name_for_another_type(void) {
    kinfolk_service *service = open_store();
    kinfolk_container *notes = make_container(service, NOTES), *games = make_container(service, GAMES);
    kinfolk_account *ada = make_person(service, "Ada", "Lovelace", NULL);
    kinfolk_session *in_notes = sign_in(notes, ada), *in_games = sign_in(games, ada);
    kinfolk_session *graces = make_findable(service, notes, "Grace", "Hopper", "grace@example.com");
    kinfolk_record *record = own_record(in_notes, KINFOLK_DATABASE_PUBLIC), *other = NULL;
    int64_t value = 0;
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_container_remove_field(notes, "age"));
    OK(kinfolk_record_set_int64(record, "age", 36));
    OK(kinfolk_record_set_int64(record, "kept", 1));
    OK(kinfolk_record_save(in_notes, record, KINFOLK_SAVE_IF_UNCHANGED));
    kinfolk_record_free(record);
    record = own_record(in_games, KINFOLK_DATABASE_PUBLIC);
    OK(kinfolk_record_set_int64(record, "age", 37));
    OK(kinfolk_record_save(in_games, record, KINFOLK_SAVE_IF_UNCHANGED));
    kinfolk_record_free(record);

    other = own_record(graces, KINFOLK_DATABASE_PRIVATE); /* both databases and all users share one schema */
    OK(kinfolk_record_set_string(other, "age", "85"));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_record_save(graces, other, KINFOLK_SAVE_ALL_KEYS));

    OK(kinfolk_container_remove_field(notes, "age"));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_container_remove_field(notes, "age"));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_container_remove_field(notes, "no field's name"));
    record = own_record(in_notes, KINFOLK_DATABASE_PUBLIC);
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_record_get_int64(record, "age", &value));
    OK(kinfolk_record_get_int64(record, "kept", &value));
    kinfolk_record_free(record);
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_record_save(graces, other, KINFOLK_SAVE_ALL_KEYS));
    OK(kinfolk_container_add_field(notes, "age", KINFOLK_STRING)); /* a private record adds no field in production */
    OK(kinfolk_record_save(graces, other, KINFOLK_SAVE_ALL_KEYS));
    record = own_record(in_games, KINFOLK_DATABASE_PUBLIC);
    OK(kinfolk_record_get_int64(record, "age", &value)); /* another container, another schema */
    EQUAL(value, 37);
    kinfolk_record_free(record);
    kinfolk_record_free(other);
    kinfolk_session_free(in_notes);
    kinfolk_session_free(in_games);
    kinfolk_session_free(graces);
    kinfolk_account_free(ada);
    kinfolk_container_free(notes);
    kinfolk_container_free(games);
    kinfolk_service_free(service);
}

BEGIN
    RUN(a_container_is_made_once_and_opened_many_times);
    RUN(a_name_is_reverse_dns);
    RUN(a_name_has_255_bytes_at_most);
    RUN(letter_case_matters);
    RUN(a_missing_container_is_unknown);
    RUN(the_capacity_is_at_least_one_and_the_rate_is_a_number);
    RUN(removing_a_field_frees_its_name_for_another_type);
END
