/* The fields of a record in memory: any name and value is set, set again and removed, and compared with the value that was set. */

#include "fields.h"
#include "store.h"

enum { MOST_FIELDS = 24 };

static kinfolk_session *session;

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    static kinfolk_service *service; /* open while its sessions are used */
    kinfolk_account *account;
    kinfolk_container *container = NULL;
    kinfolk_service_free(service);
    service = store_make();
    account = store_person(service, "Ada", "ada@example.com");
    (void)argc, (void)argv;
    OK(kinfolk_container_create(service, NOTES, &container));
    OK(kinfolk_container_set_field_limit(container, 1000));
    OK(kinfolk_session_open(container, account, &session));
    kinfolk_container_free(container);
    kinfolk_account_free(account);
    return 0;
}

static void check_names(const kinfolk_record *record, size_t count) {
    size_t i;
    HOLDS(kinfolk_record_field_count(record) == count);
    HOLDS(kinfolk_record_field_name(record, count) == NULL);
    for (i = 1; i < count; i++)
        HOLDS(strcmp(kinfolk_record_field_name(record, i - 1), kinfolk_record_field_name(record, i)) < 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static field fields[MOST_FIELDS], value;
    size_t count = 0, at, i;
    input in = { data, size };
    kinfolk_record *record = NULL;
    OK(kinfolk_record_fetch(session, NULL, KINFOLK_DATABASE_PUBLIC, &record));
    while (in.left > 0 && count < MOST_FIELDS) {
        uint8_t step = take_byte(&in);
        char *name = take_text(&in);
        kinfolk_status status;
        for (at = 0; at < count && strcmp(fields[at].name, name) != 0; at++) {}
        if (step >= 0xf0) {
            status = kinfolk_record_remove(record, name);
            HOLDS((status == KINFOLK_OK) == (at < count));
            if (at < count) {
                field_end(&fields[at]);
                fields[at] = fields[--count];
                memset(&fields[count], 0, sizeof fields[count]);
            } else {
                FAILED(status, KINFOLK_UNKNOWN_ITEM, KINFOLK_INVALID_ARGUMENT);
            }
        } else {
            bool is_good;
            value.type = field_types[step & 15];
            is_good = take_value(&value, &in);
            status = set_field(record, name, &value);
            HOLDS((status == KINFOLK_OK) == (is_good && is_name(name)));
            if (status == KINFOLK_OK) {
                strcpy(value.name, name);
                if (at < count) field_end(&fields[at]);
                else count++;
                fields[at] = value;
                memset(&value, 0, sizeof value);
            } else {
                FAILED(status, KINFOLK_INVALID_ARGUMENT, KINFOLK_LIMIT_EXCEEDED);
                field_end(&value);
            }
        }
        free(name);
    }
    check_names(record, count);
    for (i = 0; i < count; i++) check_field(record, &fields[i]);
    for (i = 0; i < count; i++) field_end(&fields[i]);
    kinfolk_record_free(record);
    return 0;
}
