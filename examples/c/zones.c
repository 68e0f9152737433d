/* Zones and their changes, step by step. The program makes its store, "zones.db", in the folder where it runs. */
#include <kinfolk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must(kinfolk_status status) {
    if (status == KINFOLK_OK) return;
    fprintf(stderr, "%s: %s\n", kinfolk_status_name(status), kinfolk_error_message());
    exit(EXIT_FAILURE);
}

/* Saves notes in the zone, all or none. */
static void save_notes(const kinfolk_database *database, const char *const *titles, size_t count) {
    kinfolk_batch *batch;
    size_t i;
    must(kinfolk_batch_new(&batch));
    for (i = 0; i < count; i++) {
        kinfolk_record *note;
        must(kinfolk_record_new("Note", titles[i], "Notes", &note));
        must(kinfolk_record_set_string(note, "title", titles[i]));
        must(kinfolk_batch_save(batch, KINFOLK_OPERATION_CREATE, note));
        kinfolk_record_free(note);
    }
    must(kinfolk_batch_run(batch, database, true, NULL));
    kinfolk_batch_free(batch);
}

/* How far this reader has come in the changes of the zone. A program keeps the token with its copy of the records. */
struct position {
    uint8_t token[256];
    size_t length; /* 0: at the beginning */
};

/* Reads what changed in the zone since the position, page by page. */
static kinfolk_status follow(const kinfolk_database *database, struct position *position) {
    bool more_coming = true;
    while (more_coming) {
        kinfolk_changes *changes;
        const uint8_t *token;
        size_t i;
        kinfolk_status status =
            kinfolk_zone_changes(database, "Notes", position->token, position->length, 0, &changes);
        if (status == KINFOLK_CHANGE_TOKEN_EXPIRED) {
            position->length = 0; /* forget the copy of the zone, and fetch everything again */
            continue;
        }
        if (status != KINFOLK_OK) return status;
        for (i = 0; i < kinfolk_changes_count(changes); i++) {
            if (kinfolk_changes_is_deleted(changes, i)) {
                printf("    deleted: %s\n", kinfolk_changes_deleted_name(changes, i));
            } else {
                kinfolk_record *note;
                must(kinfolk_changes_record(changes, i, &note));
                printf("    saved: %s\n", kinfolk_record_name(note));
                kinfolk_record_free(note);
            }
        }
        must(kinfolk_changes_token(changes, &token, &position->length));
        memcpy(position->token, token, position->length);
        more_coming = kinfolk_changes_more_coming(changes);
        kinfolk_changes_free(changes);
    }
    return KINFOLK_OK;
}

/* Prints which zones of the database changed since a position. */
static void print_changed_zones(const kinfolk_database *database, struct position *position) {
    kinfolk_changes *changes;
    const uint8_t *token;
    size_t i;
    must(kinfolk_database_changes(database, position->token, position->length, &changes));
    for (i = 0; i < kinfolk_changes_count(changes); i++)
        printf("    %s: %s\n", kinfolk_changes_is_deleted(changes, i) ? "deleted" : "changed",
               kinfolk_changes_zone(changes, i));
    must(kinfolk_changes_token(changes, &token, &position->length));
    memcpy(position->token, token, position->length);
    kinfolk_changes_free(changes);
}

int main(void) {
    static const char *const first[] = { "list", "trip", "idea" }, *const second[] = { "gift" };
    struct position notes = { { 0 }, 0 }, zones = { { 0 }, 0 };
    kinfolk_service *service;
    kinfolk_container *production, *container;
    kinfolk_account *ada;
    kinfolk_session *session;
    kinfolk_database *database;

    must(kinfolk_service_open("zones.db", NULL, &service));
    must(kinfolk_container_create(service, "com.example.notes", &production));
    must(kinfolk_container_open_environment(service, "com.example.notes", KINFOLK_ENVIRONMENT_DEVELOPMENT, &container));
    must(kinfolk_account_create(service, "Ada", "Example", &ada));
    must(kinfolk_session_open(container, ada, &session));
    must(kinfolk_session_database(session, KINFOLK_DATABASE_PRIVATE, &database));

    /* A zone with a few records. */
    must(kinfolk_zone_save(database, "Notes"));
    save_notes(database, first, 3);

    /* The first time everything is shown, and later what changed since. */
    printf("At first:\n");
    must(follow(database, &notes));
    must(kinfolk_database_delete(database, "idea", "Notes", NULL, NULL));
    save_notes(database, second, 1);
    printf("Since then:\n");
    must(follow(database, &notes));

    /* A deleted zone. Its records are gone at once, and their rows soon after. */
    printf("Zones:\n");
    print_changed_zones(database, &zones);
    must(kinfolk_zone_delete(database, "Notes"));
    printf("Zones since then:\n");
    print_changed_zones(database, &zones);
    if (follow(database, &notes) == KINFOLK_ZONE_NOT_FOUND) printf("Notes: %s\n", kinfolk_error_message());

    kinfolk_database_free(database); /* handles may be freed in any order */
    kinfolk_session_free(session);
    kinfolk_account_free(ada);
    kinfolk_container_free(container);
    kinfolk_container_free(production);
    kinfolk_service_free(service);
    return EXIT_SUCCESS;
}
