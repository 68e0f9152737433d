/*
 * Calls about other people: blocks, look-ups with a reason, copies of the store. A block exists exactly if it was made and
 * not removed; a look-up adds an entry with its reason; a copy is made only where there is no file.
 */

#include "store.h"

#include <fcntl.h>

static kinfolk_service *service;
static kinfolk_account *ada;
static kinfolk_container *notes;
static kinfolk_session *session;
static const char *own_id;
static int64_t entries; /* of the audit log */
static int home;        /* the folder in which the program was started */

static void begin(void) {
    kinfolk_session_free(session);
    kinfolk_container_free(notes);
    kinfolk_account_free(ada);
    kinfolk_service_free(service);
    service = store_make();
    ada = store_person(service, "Ada", "ada@example.com");
    OK(kinfolk_container_create(service, NOTES, &notes));
    OK(kinfolk_session_open(notes, ada, &session));
    OK(kinfolk_session_user_record_id(session, &own_id));
    entries = 0;
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    begin();
    home = open(".", O_RDONLY | O_DIRECTORY);
    HOLDS(home >= 0);
    return 0;
}

static bool is_blocked(const char *id) {
    kinfolk_blocked *blocked = NULL;
    bool is_there = false;
    size_t i;
    OK(kinfolk_session_blocked(session, &blocked));
    for (i = 0; i < kinfolk_blocked_count(blocked); i++)
        if (strcmp(kinfolk_blocked_record_id(blocked, i), id) == 0) is_there = true;
    kinfolk_blocked_free(blocked);
    return is_there;
}

/* The export for the person names the people whom they blocked, and nobody else. */
static void check_export(const char *id, bool is_blocked) {
    char *json = NULL;
    OK(kinfolk_session_export(session, &json));
    HOLDS(strstr(json, own_id) != NULL);
    if (is_record_id(id) && strcmp(id, own_id) != 0) HOLDS((strstr(json, id) != NULL) == is_blocked);
    kinfolk_free(json);
}

static void check_permits(const char *id) {
    bool is_own = strcmp(id, own_id) == 0;
    uint32_t left = 0;
    HOLDS((kinfolk_container_set_permits_left(notes, id, 7) == KINFOLK_OK) == is_own);
    HOLDS((kinfolk_container_permits_left(notes, id, &left) == KINFOLK_OK) == is_own);
    HOLDS(left == (is_own ? 7u : 0u));
    HOLDS((kinfolk_container_top_up_permits(notes, id) == KINFOLK_OK) == is_own);
}

static void check_blocks(const char *id, const char *other) {
    bool can_block = is_record_id(id) && strcmp(id, own_id) != 0;
    bool can_separate = is_record_id(id) && is_record_id(other) && strcmp(id, other) != 0;
    check_permits(id);
    HOLDS((kinfolk_session_block(session, id) == KINFOLK_OK) == can_block);
    HOLDS(is_blocked(id) == can_block);
    check_export(id, can_block);
    HOLDS((kinfolk_container_block(notes, id, other) == KINFOLK_OK) == can_separate);
    HOLDS((kinfolk_session_unblock(session, id) == KINFOLK_OK) == is_record_id(id));
    HOLDS(!is_blocked(id)); /* the person must not see the operator's block */
    check_export(id, false);
    HOLDS((kinfolk_container_unblock(notes, id, other) == KINFOLK_OK) == (is_record_id(id) && is_record_id(other)));
}

static void check_lookup(const char *id, const char *reason) {
    kinfolk_account *account = NULL;
    kinfolk_audit *audit = NULL;
    size_t length = strlen(reason);
    bool is_taken = is_record_id(id) && length > 0 && length <= 1024 && is_utf_8(reason, length);
    kinfolk_status status = kinfolk_container_find_account(notes, id, reason, &account);
    bool is_own = is_taken && strcmp(id, own_id) == 0;
    HOLDS((status == KINFOLK_OK) == is_own && (account != NULL) == is_own);
    HOLDS((status == KINFOLK_UNKNOWN_ITEM) == (is_taken && !is_own));
    OK(kinfolk_service_audit_log(service, entries, 10, &audit));
    HOLDS(kinfolk_audit_count(audit) == (is_taken ? 1 : 0));
    if (is_taken) {
        HOLDS(strcmp(kinfolk_audit_reason(audit, 0), reason) == 0);
        HOLDS(strcmp(kinfolk_audit_record_id(audit, 0), id) == 0);
        HOLDS(kinfolk_audit_number(audit, 0) == ++entries);
    }
    kinfolk_audit_free(audit);
    kinfolk_account_free(account);
}

/* Paths stay in the target's folder. */
static void check_copy(const char *path) {
    struct stat file;
    bool was_there;
    kinfolk_status status;
    if (strchr(path, '/') != NULL) return;
    was_there = path[0] != '\0' && stat(path, &file) == 0;
    status = kinfolk_service_back_up(service, path, NULL, NULL);
    HOLDS(status != KINFOLK_INTERNAL_ERROR && status != KINFOLK_STORE_CORRUPT);
    HOLDS((status == KINFOLK_CONFLICT) == was_there);
    if (status != KINFOLK_OK) return;
    HOLDS(stat(path, &file) == 0 && (file.st_mode & 07777) == 0600 && file.st_size > 0);
    HOLDS(unlink(path) == 0);
}

/* A copy to another place, where nothing is. */
static void check_copy_elsewhere(const char *path) {
    struct stat file;
    char beside[1100];
    kinfolk_status status;
    if (strchr(path, '/') != NULL || path[0] == '\0' || strlen(path) > 1000 || stat(path, &file) == 0) return;
    status = kinfolk_service_copy(service, path, NULL, NULL);
    HOLDS(status != KINFOLK_INTERNAL_ERROR && status != KINFOLK_CONFLICT);
    if (status != KINFOLK_OK) return;
    HOLDS(stat(path, &file) == 0 && (file.st_mode & 07777) == 0600 && file.st_size > 0);
    HOLDS(unlink(path) == 0);
    snprintf(beside, sizeof beside, "%s-wal", path);
    unlink(beside);
    snprintf(beside, sizeof beside, "%s-shm", path);
    unlink(beside);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    input in = { data, size };
    uint8_t step = take_byte(&in) % 6;
    char *text = take_text(&in), *other = take_rest(&in);
    if (entries >= 10000) begin();
    switch (step) {
    case 0: check_blocks(text, other); break;
    case 1: check_blocks(own_id, other); break;
    case 2: check_lookup(text, other); break;
    case 3: check_lookup(own_id, text); break;
    case 4: check_lookup("_0123456789abcdef0123456789abcdef", text); break;
    default:
        HOLDS(chdir(store_folder) == 0);
        check_copy(text);
        check_copy_elsewhere(text);
        HOLDS(fchdir(home) == 0);
    }
    free(other);
    free(text);
    return 0;
}
