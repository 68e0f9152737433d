/*
 * Records in the store: another session fetches exactly what was saved, with each policy, from both databases. A save with a stale
 * handle is refused, or merged according to its policy. There are few names, because each remains in the container's schema.
 */

#include "fields.h"
#include "store.h"

enum { NAMES = 32, FRESH_AFTER = 100000 };

static kinfolk_session *session, *other;
static unsigned saves;

static void begin(void) {
    static kinfolk_service *service; /* open while its sessions are used */
    kinfolk_account *account;
    kinfolk_container *production = NULL, *container = NULL;
    kinfolk_service_free(service);
    service = store_make();
    account = store_person(service, "Ada", "ada@example.com");
    OK(kinfolk_container_create(service, NOTES, &production)); /* there, a private record adds no field */
    OK(kinfolk_container_open_environment(service, NOTES, KINFOLK_ENVIRONMENT_DEVELOPMENT, &container));
    kinfolk_container_free(production);
    OK(kinfolk_container_set_field_limit(container, 1000));
    OK(kinfolk_session_open(container, account, &session));
    OK(kinfolk_session_open(container, account, &other));
    kinfolk_container_free(container);
    kinfolk_account_free(account);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    /* The values in the store, by name. The type of a field follows from its name. */
    static field fields[NAMES], value;
    size_t at, i, count = 0;
    input in = { data, size };
    uint8_t choice = take_byte(&in);
    kinfolk_database_scope database = choice & 1 ? KINFOLK_DATABASE_PRIVATE : KINFOLK_DATABASE_PUBLIC;
    kinfolk_record *record = NULL, *seen = NULL;
    if (saves++ % FRESH_AFTER == 0) {
        kinfolk_session_free(session);
        kinfolk_session_free(other);
        begin();
    }
    OK(kinfolk_record_fetch(session, NULL, database, &record));
    for (i = kinfolk_record_field_count(record); i-- > 0;) /* fields of the previous input */
        OK(kinfolk_record_remove(record, kinfolk_record_field_name(record, i)));
    while (in.left > 0) {
        uint8_t step = take_byte(&in);
        kinfolk_save_policy policy = (kinfolk_save_policy)(step >> 5 & 3);
        at = step & 31;
        snprintf(value.name, sizeof value.name, "n%u", (unsigned)at);
        value.type = field_types[at / 2];
        if (step & 0x80 && policy != 3) {
            OK(kinfolk_record_save(session, record, policy));
        } else if (step & 0x80) {
            kinfolk_status status = kinfolk_record_remove(record, value.name);
            HOLDS((status == KINFOLK_OK) == (fields[at].name[0] != '\0'));
            field_end(&fields[at]);
        } else if (take_value(&value, &in)) {
            memset(value.actions, 0, sizeof value.actions); /* other actions need a target */
            OK(set_field(record, value.name, &value));
            field_end(&fields[at]);
            fields[at] = value;
            memset(&value, 0, sizeof value);
        }
        field_end(&value);
    }
    OK(kinfolk_record_save(session, record, KINFOLK_SAVE_IF_UNCHANGED));
    OK(kinfolk_record_fetch(other, NULL, database, &seen));
    HOLDS(strcmp(kinfolk_record_change_tag(seen), kinfolk_record_change_tag(record)) == 0);
    for (i = 0; i < NAMES; i++) {
        if (fields[i].name[0] == '\0') continue;
        check_field(record, &fields[i]);
        check_field(seen, &fields[i]);
        count++;
    }
    HOLDS(kinfolk_record_field_count(record) == count && kinfolk_record_field_count(seen) == count);
    if (choice & 2) { /* another session saves in between */
        kinfolk_record *server = NULL;
        OK(kinfolk_record_set_string(seen, "n0", "theirs"));
        OK(kinfolk_record_set_int64(record, "n2", 7));
        OK(kinfolk_record_save(other, seen, KINFOLK_SAVE_IF_UNCHANGED));
        HOLDS(kinfolk_record_save(session, record, KINFOLK_SAVE_IF_UNCHANGED) == KINFOLK_SERVER_RECORD_CHANGED);
        server = kinfolk_error_take_server_record();
        HOLDS(server != NULL);
        HOLDS(strcmp(kinfolk_record_change_tag(server), kinfolk_record_change_tag(seen)) == 0);
        kinfolk_record_free(server);
        OK(kinfolk_record_save(session, record, KINFOLK_SAVE_CHANGED_KEYS));
        OK(kinfolk_record_fetch(other, NULL, database, &server));
        memset(&value, 0, sizeof value);
        strcpy(value.name, "n0");
        value.type = KINFOLK_STRING;
        value.count = 1;
        value.texts[0] = strdup("theirs");
        value.lengths[0] = 6;
        check_field(server, &value); /* their value stays, because it was not changed here */
        field_end(&value);
        kinfolk_record_free(server);
    }
    for (i = 0; i < NAMES; i++) field_end(&fields[i]);
    kinfolk_record_free(seen);
    kinfolk_record_free(record);
    return 0;
}
