/*
 * The texts of schemas. Each is refused with a line and a column, or applied as the difference says. The schema that results is exported
 * as a text that changes nothing more, and that makes the same schema elsewhere.
 */

#include "fuzz.h"
#include "store.h"

enum { FRESH_AFTER = 500 };

static kinfolk_service *service;
static unsigned inputs;

static kinfolk_container *make_container(const char *name) {
    kinfolk_container *container = NULL;
    OK(kinfolk_container_create(service, name, &container));
    return container;
}

/* The number of changes, whose texts are all there. */
static size_t check_changes(const kinfolk_schema_changes *changes) {
    size_t count = kinfolk_schema_changes_count(changes), i;
    for (i = 0; i < count; i++) {
        kinfolk_schema_change kind = kinfolk_schema_changes_kind(changes, i);
        const char *type = kinfolk_schema_changes_record_type(changes, i);
        const char *name = kinfolk_schema_changes_name(changes, i);
        HOLDS(kind >= KINFOLK_SCHEMA_ADD_ROLE && kind <= KINFOLK_SCHEMA_REMOVE_GRANT);
        HOLDS(is_one_line(kinfolk_schema_changes_sentence(changes, i)));
        HOLDS(type != NULL || name != NULL);
    }
    HOLDS(kinfolk_schema_changes_kind(changes, count) == 0 && kinfolk_schema_changes_name(changes, count) == NULL);
    return count;
}

static size_t changes_of(const kinfolk_container *container, const char *text, bool removes_missing) {
    kinfolk_schema_changes *changes = NULL;
    size_t count;
    OK(kinfolk_schema_difference(container, text, removes_missing, &changes));
    count = check_changes(changes);
    kinfolk_schema_changes_free(changes);
    return count;
}

/* The text as the name of a record type and of a field. */
static void check_names(const kinfolk_container *container, const char *text) {
    kinfolk_status status = kinfolk_schema_add_field(container, text, text, KINFOLK_STRING, KINFOLK_INDEX_STANDARD);
    if (status == KINFOLK_OK) OK(kinfolk_schema_remove_field(container, text, text));
    else FAILED(status, KINFOLK_INVALID_ARGUMENT, KINFOLK_LIMIT_EXCEEDED);
    status = kinfolk_schema_remove_field(container, text, text);
    FAILED(status, KINFOLK_UNKNOWN_ITEM, KINFOLK_INVALID_ARGUMENT);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    input in = { data, size };
    bool removes_missing = take_byte(&in) & 1;
    char name[64], *text = take_rest(&in), *schema = NULL, *copy = NULL;
    kinfolk_schema_changes *changes = NULL;
    kinfolk_container *container, *other;
    kinfolk_status status;
    size_t count;
    if (inputs++ % FRESH_AFTER == 0) {
        kinfolk_service_free(service);
        service = store_make();
    }
    snprintf(name, sizeof name, "com.example.schema%u", inputs);
    container = make_container(name);
    OK(kinfolk_schema_add_field(container, "Known", "field", KINFOLK_INT64, KINFOLK_INDEX_STANDARD));
    check_names(container, text);
    status = kinfolk_schema_difference(container, text, removes_missing, &changes);
    HOLDS((changes != NULL) == (status == KINFOLK_OK));
    if (status != KINFOLK_OK) {
        FAILED(status, KINFOLK_INVALID_ARGUMENT, KINFOLK_LIMIT_EXCEEDED);
        HOLDS(kinfolk_schema_apply(container, text, removes_missing, NULL) == status);
        HOLDS(changes_of(container, "DEFINE SCHEMA RECORD TYPE Known (field INT64 QUERYABLE);", false) == 0);
    } else {
        count = check_changes(changes);
        kinfolk_schema_changes_free(changes);
        OK(kinfolk_schema_apply(container, text, removes_missing, &changes));
        HOLDS(check_changes(changes) == count);
        kinfolk_schema_changes_free(changes);
        HOLDS(changes_of(container, text, removes_missing) == 0);
        OK(kinfolk_schema_export(container, &schema));
        HOLDS(is_utf_8(schema, strlen(schema)));
        HOLDS(changes_of(container, schema, true) == 0);
        strcat(name, "x");
        other = make_container(name);
        OK(kinfolk_schema_apply(other, schema, true, NULL));
        OK(kinfolk_schema_export(other, &copy));
        HOLDS(strcmp(copy, schema) == 0);
        kinfolk_free(schema);
        kinfolk_free(copy);
        kinfolk_container_free(other);
    }
    kinfolk_container_free(container);
    free(text);
    return 0;
}
