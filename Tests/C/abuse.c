/* Mistakes of callers: NULL for every argument, NULL freed, handles freed in every order. */

#include "harness.h"
#include "people.h"

#define REFUSED(call) FAILS(KINFOLK_INVALID_ARGUMENT, call)

static kinfolk_service *service;
static kinfolk_container *notes;
static kinfolk_account *ada;
static kinfolk_session *session;
static kinfolk_record *record;
static kinfolk_contacts *contacts;
static kinfolk_identities *identities;

static void begin(void) {
    service = open_store();
    notes = make_container(service, NOTES);
    ada = make_person(service, "Ada", "Lovelace", "ada@example.com");
    session = sign_in(notes, ada);
    record = own_record(session, KINFOLK_DATABASE_PUBLIC);
    OK(kinfolk_contacts_new(&contacts));
    OK(kinfolk_contacts_add_email(contacts, "grace@example.com", NULL));
    OK(kinfolk_discover_contacts(session, contacts, NULL, 0, &identities));
}

static void end(void) {
    kinfolk_identities_free(identities);
    kinfolk_contacts_free(contacts);
    kinfolk_record_free(record);
    kinfolk_session_free(session);
    kinfolk_account_free(ada);
    kinfolk_container_free(notes);
    kinfolk_service_free(service);
}

static void freeing_null_does_nothing(void) {
    kinfolk_free(NULL);
    kinfolk_service_free(NULL);
    kinfolk_account_free(NULL);
    kinfolk_emails_free(NULL);
    kinfolk_claims_free(NULL);
    kinfolk_erasure_free(NULL);
    kinfolk_audit_free(NULL);
    kinfolk_container_free(NULL);
    kinfolk_session_free(NULL);
    kinfolk_blocked_free(NULL);
    kinfolk_record_free(NULL);
    kinfolk_zone_list_free(NULL);
    kinfolk_changes_free(NULL);
    kinfolk_query_free(NULL);
    kinfolk_page_free(NULL);
    kinfolk_explanation_free(NULL);
    kinfolk_import_free(NULL);
    kinfolk_contacts_free(NULL);
    kinfolk_identities_free(NULL);
}

static void functions_that_cannot_fail_accept_null(void) {
    CHECK(kinfolk_account_id(NULL) == NULL);
    EQUAL(kinfolk_emails_count(NULL), 0);
    CHECK(kinfolk_emails_address(NULL, 0) == NULL);
    CHECK(!kinfolk_emails_is_verified(NULL, 0));
    CHECK(!kinfolk_emails_is_discoverable(NULL, 0));
    EQUAL(kinfolk_erasure_email_count(NULL), 0);
    EQUAL(kinfolk_erasure_container_count(NULL), 0);
    EQUAL(kinfolk_erasure_record_count(NULL), 0);
    CHECK(!kinfolk_erasure_is_pending(NULL));
    EQUAL(kinfolk_erasure_remembered_email_count(NULL), 0);
    EQUAL(kinfolk_erasure_remembered_until(NULL), 0);
    EQUAL(kinfolk_audit_count(NULL), 0);
    EQUAL(kinfolk_audit_number(NULL, 0), 0);
    EQUAL(kinfolk_audit_noted_at(NULL, 0), 0);
    CHECK(kinfolk_audit_container(NULL, 0) == NULL);
    CHECK(kinfolk_audit_record_id(NULL, 0) == NULL);
    CHECK(kinfolk_audit_reason(NULL, 0) == NULL);
    EQUAL(kinfolk_blocked_count(NULL), 0);
    CHECK(kinfolk_blocked_record_id(NULL, 0) == NULL);
    CHECK(kinfolk_container_name(NULL) == NULL);
    EQUAL(kinfolk_container_environment(NULL), KINFOLK_ENVIRONMENT_PRODUCTION);
    EQUAL(kinfolk_records_count(NULL), 0);
    EQUAL(kinfolk_batch_count(NULL), 0);
    CHECK(kinfolk_batch_name(NULL, 0) == NULL);
    CHECK(kinfolk_batch_zone(NULL, 0) == NULL);
    EQUAL(kinfolk_zone_list_count(NULL), 0);
    CHECK(kinfolk_zone_list_name(NULL, 0) == NULL);
    EQUAL(kinfolk_changes_count(NULL), 0);
    CHECK(kinfolk_changes_zone(NULL, 0) == NULL);
    CHECK(!kinfolk_changes_is_deleted(NULL, 0));
    CHECK(kinfolk_changes_deleted_name(NULL, 0) == NULL);
    CHECK(kinfolk_changes_deleted_type(NULL, 0) == NULL);
    CHECK(!kinfolk_changes_more_coming(NULL));
    EQUAL(kinfolk_page_count(NULL), 0);
    EQUAL(kinfolk_explanation_index_count(NULL), 0);
    CHECK(kinfolk_explanation_index(NULL, 0) == NULL);
    EQUAL(kinfolk_explanation_missing_count(NULL), 0);
    CHECK(kinfolk_explanation_missing(NULL, 0) == NULL);
    CHECK(!kinfolk_explanation_exceeds_limit(NULL));
    CHECK(!kinfolk_explanation_evaluates_records(NULL));
    CHECK(!kinfolk_explanation_sorts_records(NULL));
    EQUAL(kinfolk_explanation_entries_read(NULL), 0);
    EQUAL(kinfolk_explanation_records_opened(NULL), 0);
    EQUAL(kinfolk_explanation_records_discarded(NULL), 0);
    EQUAL(kinfolk_schema_changes_count(NULL), 0);
    EQUAL(kinfolk_schema_changes_kind(NULL, 0), 0);
    CHECK(kinfolk_schema_changes_record_type(NULL, 0) == NULL);
    CHECK(kinfolk_schema_changes_name(NULL, 0) == NULL);
    CHECK(kinfolk_schema_changes_detail(NULL, 0) == NULL);
    CHECK(kinfolk_schema_changes_sentence(NULL, 0) == NULL);
    CHECK(kinfolk_record_id(NULL) == NULL);
    CHECK(kinfolk_record_name(NULL) == NULL);
    CHECK(kinfolk_record_type(NULL) == NULL);
    CHECK(kinfolk_record_zone(NULL) == NULL);
    EQUAL(kinfolk_record_database(NULL), KINFOLK_DATABASE_NONE);
    CHECK(kinfolk_record_change_tag(NULL) == NULL);
    EQUAL(kinfolk_record_created_at(NULL), 0);
    EQUAL(kinfolk_record_modified_at(NULL), 0);
    CHECK(kinfolk_record_created_by(NULL) == NULL);
    CHECK(kinfolk_record_modified_by(NULL) == NULL);
    EQUAL(kinfolk_record_field_count(NULL), 0);
    CHECK(kinfolk_record_field_name(NULL, 0) == NULL);
    EQUAL(kinfolk_import_added(NULL), 0);
    EQUAL(kinfolk_import_entries(NULL), 0);
    EQUAL(kinfolk_import_without_email(NULL), 0);
    EQUAL(kinfolk_import_skipped(NULL), 0);
    EQUAL(kinfolk_import_skip_count(NULL), 0);
    EQUAL(kinfolk_import_skip_line(NULL, 0), 0);
    CHECK(kinfolk_import_skip_reason(NULL, 0) == NULL);
    EQUAL(kinfolk_contacts_count(NULL), 0);
    CHECK(kinfolk_contacts_label(NULL, 0) == NULL);
    EQUAL(kinfolk_identities_count(NULL), 0);
    CHECK(kinfolk_identities_record_id(NULL, 0) == NULL);
    CHECK(kinfolk_identities_given_name(NULL, 0) == NULL);
    CHECK(kinfolk_identities_family_name(NULL, 0) == NULL);
    EQUAL(kinfolk_identities_contact_count(NULL, 0), 0);
    CHECK(kinfolk_identities_contact_index(NULL, 0, 0) == SIZE_MAX);
    CHECK(kinfolk_identities_contact_label(NULL, 0, 0) == NULL);
}

static void services_and_addresses_refuse_null(void) {
    kinfolk_service *opened = NULL;
    char *text = NULL;
    uint8_t hash[KINFOLK_CONTACT_HASH_LENGTH];
    REFUSED(kinfolk_service_open(NULL, NULL, &opened));
    REFUSED(kinfolk_service_open(file_path("kinfolk.db"), NULL, NULL));
    CHECK(!file_exists(file_path("kinfolk.db")));
    REFUSED(kinfolk_email_canonicalize(NULL, &text));
    REFUSED(kinfolk_email_canonicalize("ada@example.com", NULL));
    REFUSED(kinfolk_email_hash(NULL, hash));
    REFUSED(kinfolk_email_hash("ada@example.com", NULL));
    CHECK(opened == NULL && text == NULL);
}

static void keeping_a_store_refuses_null(void) {
    kinfolk_audit *audit = NULL;
    kinfolk_blocked *blocked = NULL;
    kinfolk_account *found = NULL;
    char *old = NULL;
    begin();
    REFUSED(kinfolk_service_rotate_keys(NULL, NULL, false, NULL, NULL, &old, NULL));
    REFUSED(kinfolk_service_back_up(NULL, file_path("copy.db"), NULL, NULL));
    REFUSED(kinfolk_service_back_up(service, NULL, NULL, NULL));
    REFUSED(kinfolk_service_copy(NULL, file_path("copy.db"), NULL, NULL));
    REFUSED(kinfolk_service_copy(service, NULL, NULL, NULL));
    REFUSED(kinfolk_service_audit_log(NULL, 0, 1, &audit));
    REFUSED(kinfolk_service_audit_log(service, 0, 1, NULL));
    REFUSED(kinfolk_container_find_account(NULL, NOBODY, "reason", &found));
    REFUSED(kinfolk_container_find_account(notes, NULL, "reason", &found));
    REFUSED(kinfolk_container_find_account(notes, NOBODY, NULL, &found));
    REFUSED(kinfolk_container_find_account(notes, NOBODY, "reason", NULL));
    REFUSED(kinfolk_container_block(NULL, NOBODY, record_id(session)));
    REFUSED(kinfolk_container_block(notes, NULL, record_id(session)));
    REFUSED(kinfolk_container_block(notes, NOBODY, NULL));
    REFUSED(kinfolk_container_unblock(NULL, NOBODY, record_id(session)));
    REFUSED(kinfolk_container_unblock(notes, NULL, record_id(session)));
    REFUSED(kinfolk_container_unblock(notes, NOBODY, NULL));
    REFUSED(kinfolk_session_block(NULL, NOBODY));
    REFUSED(kinfolk_session_block(session, NULL));
    REFUSED(kinfolk_session_unblock(NULL, NOBODY));
    REFUSED(kinfolk_session_unblock(session, NULL));
    REFUSED(kinfolk_session_blocked(NULL, &blocked));
    REFUSED(kinfolk_session_blocked(session, NULL));
    CHECK(!file_exists(file_path("copy.db")));
    CHECK(audit == NULL && blocked == NULL && found == NULL && old == NULL);
    OK(kinfolk_service_audit_log(service, 0, 1, &audit)); /* and nothing of that happened */
    EQUAL(kinfolk_audit_count(audit), 0);
    kinfolk_audit_free(audit);
    end();
}

static void accounts_refuse_null(void) {
    kinfolk_account *account = NULL;
    kinfolk_emails *emails = NULL;
    kinfolk_claims *claims = NULL;
    kinfolk_erasure *erasure = NULL;
    char *text = NULL;
    bool suspended;
    begin();
    REFUSED(kinfolk_account_create(NULL, "", "", &account));
    REFUSED(kinfolk_account_create(service, NULL, "", &account));
    REFUSED(kinfolk_account_create(service, "", NULL, &account));
    REFUSED(kinfolk_account_create(service, "", "", NULL));
    REFUSED(kinfolk_account_open(NULL, kinfolk_account_id(ada), &account));
    REFUSED(kinfolk_account_open(service, NULL, &account));
    REFUSED(kinfolk_account_open(service, kinfolk_account_id(ada), NULL));
    REFUSED(kinfolk_account_find_by_email(NULL, "ada@example.com", &account));
    REFUSED(kinfolk_account_find_by_email(service, NULL, &account));
    REFUSED(kinfolk_account_find_by_email(service, "ada@example.com", NULL));
    REFUSED(kinfolk_account_get_name(NULL, &text, &text));
    REFUSED(kinfolk_account_set_name(NULL, "", ""));
    REFUSED(kinfolk_account_set_name(ada, NULL, ""));
    REFUSED(kinfolk_account_set_name(ada, "", NULL));
    REFUSED(kinfolk_account_add_email(NULL, "ada@example.com", true, NULL));
    REFUSED(kinfolk_account_add_email(ada, NULL, true, NULL));
    REFUSED(kinfolk_account_request_verification(NULL, "a@example.com", KINFOLK_CODE_ADD_EMAIL, NULL, &text, &text,
                                                 &text));
    REFUSED(kinfolk_account_request_verification(ada, NULL, KINFOLK_CODE_ADD_EMAIL, NULL, &text, &text, &text));
    REFUSED(kinfolk_account_request_verification(ada, "a@example.com", KINFOLK_CODE_ADD_EMAIL, NULL, NULL, &text,
                                                 &text));
    REFUSED(kinfolk_account_request_verification(ada, "a@example.com", KINFOLK_CODE_ADD_EMAIL, NULL, &text, NULL,
                                                 &text));
    REFUSED(kinfolk_account_request_verification(ada, "a@example.com", KINFOLK_CODE_ADD_EMAIL, NULL, &text, &text,
                                                 NULL));
    REFUSED(kinfolk_account_request_verification(ada, "a@example.com", 4, NULL, &text, &text, &text));
    REFUSED(kinfolk_account_verify_email(NULL, "ada@example.com", "0000-0000", &claims));
    REFUSED(kinfolk_account_verify_email(ada, NULL, "0000-0000", &claims));
    REFUSED(kinfolk_account_verify_email(ada, "ada@example.com", NULL, &claims));
    REFUSED(kinfolk_account_verify_email(ada, "ada@example.com", "0000-0000", NULL));
    REFUSED(kinfolk_account_set_email_discoverable(NULL, "ada@example.com", true));
    REFUSED(kinfolk_account_set_email_discoverable(ada, NULL, true));
    REFUSED(kinfolk_account_remove_email(NULL, "ada@example.com"));
    REFUSED(kinfolk_account_remove_email(ada, NULL));
    REFUSED(kinfolk_account_emails(NULL, &emails));
    REFUSED(kinfolk_account_emails(ada, NULL));
    REFUSED(kinfolk_account_suspend(NULL));
    REFUSED(kinfolk_account_resume(NULL));
    REFUSED(kinfolk_account_is_suspended(NULL, &suspended));
    REFUSED(kinfolk_account_is_suspended(ada, NULL));
    REFUSED(kinfolk_account_export(NULL, &text));
    REFUSED(kinfolk_account_export(ada, NULL));
    REFUSED(kinfolk_account_erase(NULL, &erasure));
    CHECK(account == NULL && emails == NULL && erasure == NULL && text == NULL);
    OK(kinfolk_account_get_name(ada, &text, NULL)); /* and nothing of that happened */
    SAME(text, "Ada");
    kinfolk_free(text);
    end();
}

static kinfolk_discoverability answer(const char *text, void *context) {
    (void)text, (void)context;
    return KINFOLK_DISCOVERABILITY_GRANTED;
}

static void ignore(void *context) {
    (void)context;
}

static void containers_and_sessions_refuse_null(void) {
    kinfolk_container *container = NULL;
    kinfolk_session *opened = NULL;
    kinfolk_account_status status;
    kinfolk_discoverability discoverability;
    const char *id = NULL;
    begin();
    REFUSED(kinfolk_container_create(NULL, GAMES, &container));
    REFUSED(kinfolk_container_create(service, NULL, &container));
    REFUSED(kinfolk_container_create(service, GAMES, NULL));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_container_open(service, GAMES, &container)); /* it was not made */
    REFUSED(kinfolk_container_open(NULL, NOTES, &container));
    REFUSED(kinfolk_container_open(service, NULL, &container));
    REFUSED(kinfolk_container_open(service, NOTES, NULL));
    REFUSED(kinfolk_container_set_permits(NULL, 3, 1, 3));
    REFUSED(kinfolk_container_set_private_work(NULL, 1, 1));
    REFUSED(kinfolk_container_set_field_limit(NULL, 1));
    REFUSED(kinfolk_container_add_field(NULL, "name", KINFOLK_STRING));
    REFUSED(kinfolk_container_remove_field(NULL, "field"));
    REFUSED(kinfolk_container_remove_field(notes, NULL));
    REFUSED(kinfolk_session_open(NULL, ada, &opened));
    REFUSED(kinfolk_session_open(notes, NULL, &opened));
    REFUSED(kinfolk_session_open(notes, ada, NULL));
    REFUSED(kinfolk_session_open_anonymous(NULL, &opened));
    REFUSED(kinfolk_session_open_anonymous(notes, NULL));
    REFUSED(kinfolk_session_account_status(NULL, &status));
    REFUSED(kinfolk_session_account_status(session, NULL));
    REFUSED(kinfolk_session_user_record_id(NULL, &id));
    REFUSED(kinfolk_session_user_record_id(session, NULL));
    REFUSED(kinfolk_session_discoverability(NULL, &discoverability));
    REFUSED(kinfolk_session_discoverability(session, NULL));
    REFUSED(kinfolk_session_set_discoverability(NULL, KINFOLK_DISCOVERABILITY_GRANTED, "text", "1"));
    REFUSED(kinfolk_session_set_discoverability(session, KINFOLK_DISCOVERABILITY_GRANTED, NULL, "1"));
    REFUSED(kinfolk_session_set_discoverability(session, KINFOLK_DISCOVERABILITY_GRANTED, "text", NULL));
    REFUSED(kinfolk_session_request_discoverability(NULL, "text", "1", answer, NULL, &discoverability));
    REFUSED(kinfolk_session_request_discoverability(session, NULL, "1", answer, NULL, &discoverability));
    REFUSED(kinfolk_session_request_discoverability(session, "text", NULL, answer, NULL, &discoverability));
    REFUSED(kinfolk_session_request_discoverability(session, "text", "1", NULL, NULL, &discoverability));
    REFUSED(kinfolk_session_request_discoverability(session, "text", "1", answer, NULL, NULL));
    OK(kinfolk_session_discoverability(session, &discoverability));
    EQUAL(discoverability, KINFOLK_DISCOVERABILITY_UNDETERMINED);
    REFUSED(kinfolk_session_on_account_changed(NULL, ignore, NULL));
    CHECK(container == NULL && opened == NULL && id == NULL);
    end();
}

static void records_refuse_null(void) {
    kinfolk_record *fetched = NULL;
    kinfolk_field_type type;
    kinfolk_value *value = NULL;
    const char *text = NULL, *texts[1] = { NULL }, *const *list = NULL;
    const uint8_t *bytes = NULL, *chunks[1] = { NULL };
    size_t size, lengths[1] = { 1 };
    int64_t integer;
    double number, numbers[1] = { 0 };
    bool boolean;
    begin();
    OK(kinfolk_record_set_string(record, "text", "text"));
    OK(kinfolk_record_set_int64(record, "int", 1));
    OK(kinfolk_record_set_double(record, "double", 1));
    OK(kinfolk_record_set_boolean(record, "bool", true));
    OK(kinfolk_record_set_bytes(record, "bytes", (const uint8_t *)"b", 1));
    OK(kinfolk_record_set_date(record, "date", 1));
    OK(kinfolk_record_set_location(record, "place", 1, 1));
    OK(kinfolk_record_set_reference(record, "friend", NOBODY, NULL, KINFOLK_REFERENCE_NONE));
    OK(kinfolk_record_save(session, record, KINFOLK_SAVE_IF_UNCHANGED));

    REFUSED(kinfolk_record_fetch(NULL, NULL, KINFOLK_DATABASE_PUBLIC, &fetched));
    REFUSED(kinfolk_record_fetch(session, NULL, KINFOLK_DATABASE_PUBLIC, NULL));
    REFUSED(kinfolk_record_save(NULL, record, KINFOLK_SAVE_ALL_KEYS));
    REFUSED(kinfolk_record_save(session, NULL, KINFOLK_SAVE_ALL_KEYS));
    REFUSED(kinfolk_record_field_type(NULL, "text", &type));
    REFUSED(kinfolk_record_field_type(record, NULL, &type));
    REFUSED(kinfolk_record_field_type(record, "text", NULL));

    REFUSED(kinfolk_record_set_string(NULL, "text", ""));
    REFUSED(kinfolk_record_set_string(record, NULL, ""));
    REFUSED(kinfolk_record_set_string(record, "text", NULL));
    REFUSED(kinfolk_record_set_int64(NULL, "int", 2));
    REFUSED(kinfolk_record_set_int64(record, NULL, 2));
    REFUSED(kinfolk_record_set_double(NULL, "double", 2));
    REFUSED(kinfolk_record_set_double(record, NULL, 2));
    REFUSED(kinfolk_record_set_boolean(NULL, "bool", false));
    REFUSED(kinfolk_record_set_boolean(record, NULL, false));
    REFUSED(kinfolk_record_set_bytes(NULL, "bytes", (const uint8_t *)"c", 1));
    REFUSED(kinfolk_record_set_bytes(record, NULL, (const uint8_t *)"c", 1));
    REFUSED(kinfolk_record_set_bytes(record, "bytes", NULL, 1));
    REFUSED(kinfolk_record_set_date(NULL, "date", 2));
    REFUSED(kinfolk_record_set_date(record, NULL, 2));
    REFUSED(kinfolk_record_set_location(NULL, "place", 2, 2));
    REFUSED(kinfolk_record_set_location(record, NULL, 2, 2));
    REFUSED(kinfolk_record_set_reference(NULL, "friend", NOBODY, NULL, KINFOLK_REFERENCE_NONE));
    REFUSED(kinfolk_record_set_reference(record, NULL, NOBODY, NULL, KINFOLK_REFERENCE_NONE));
    REFUSED(kinfolk_record_set_reference(record, "friend", NULL, NULL, KINFOLK_REFERENCE_NONE));

    OK(kinfolk_value_new_string("text", 4, &value));
    REFUSED(kinfolk_record_set_value(NULL, "l", value));
    REFUSED(kinfolk_record_set_value(record, NULL, value));
    REFUSED(kinfolk_record_set_value(record, "l", NULL));
    REFUSED(kinfolk_value_get_strings(NULL, &list, NULL, &size));
    REFUSED(kinfolk_value_get_strings(value, NULL, NULL, &size));
    REFUSED(kinfolk_value_get_strings(value, &list, NULL, NULL));
    kinfolk_value_free(value);
    value = NULL;
    REFUSED(kinfolk_value_new_string_list(NULL, NULL, 1, &value));
    REFUSED(kinfolk_value_new_string_list(texts, NULL, 1, &value));
    REFUSED(kinfolk_value_new_int64(1, NULL));
    REFUSED(kinfolk_value_new_bytes_list(NULL, lengths, 1, &value));
    REFUSED(kinfolk_value_new_bytes_list(chunks, NULL, 1, &value));
    REFUSED(kinfolk_value_new_bytes_list(chunks, lengths, 1, &value));
    REFUSED(kinfolk_value_new_location_list(numbers, NULL, 1, &value));
    REFUSED(kinfolk_value_new_location_list(NULL, numbers, 1, &value));
    REFUSED(kinfolk_record_get_value(NULL, "text", &value));
    REFUSED(kinfolk_record_get_value(record, NULL, &value));
    REFUSED(kinfolk_record_get_value(record, "text", NULL));

    REFUSED(kinfolk_record_get_string(NULL, "text", &text));
    REFUSED(kinfolk_record_get_string(record, NULL, &text));
    REFUSED(kinfolk_record_get_string(record, "text", NULL));
    REFUSED(kinfolk_record_get_int64(NULL, "int", &integer));
    REFUSED(kinfolk_record_get_int64(record, NULL, &integer));
    REFUSED(kinfolk_record_get_int64(record, "int", NULL));
    REFUSED(kinfolk_record_get_double(NULL, "double", &number));
    REFUSED(kinfolk_record_get_double(record, NULL, &number));
    REFUSED(kinfolk_record_get_double(record, "double", NULL));
    REFUSED(kinfolk_record_get_boolean(NULL, "bool", &boolean));
    REFUSED(kinfolk_record_get_boolean(record, NULL, &boolean));
    REFUSED(kinfolk_record_get_boolean(record, "bool", NULL));
    REFUSED(kinfolk_record_get_bytes(NULL, "bytes", &bytes, &size));
    REFUSED(kinfolk_record_get_bytes(record, NULL, &bytes, &size));
    REFUSED(kinfolk_record_get_bytes(record, "bytes", NULL, &size));
    REFUSED(kinfolk_record_get_bytes(record, "bytes", &bytes, NULL));
    REFUSED(kinfolk_record_get_date(NULL, "date", &integer));
    REFUSED(kinfolk_record_get_date(record, NULL, &integer));
    REFUSED(kinfolk_record_get_date(record, "date", NULL));
    REFUSED(kinfolk_record_get_location(NULL, "place", &number, &number));
    REFUSED(kinfolk_record_get_location(record, NULL, &number, &number));
    REFUSED(kinfolk_record_get_location(record, "place", NULL, &number));
    REFUSED(kinfolk_record_get_location(record, "place", &number, NULL));
    REFUSED(kinfolk_record_get_reference(NULL, "friend", &text, NULL, NULL));
    REFUSED(kinfolk_record_get_reference(record, NULL, &text, NULL, NULL));
    REFUSED(kinfolk_record_get_reference(record, "friend", NULL, NULL, NULL));
    REFUSED(kinfolk_record_remove(NULL, "text"));
    REFUSED(kinfolk_record_remove(record, NULL));
    CHECK(fetched == NULL && text == NULL && bytes == NULL && value == NULL && list == NULL);
    EQUAL(kinfolk_record_field_count(record), 8);
    end();
}

static void contacts_and_discovery_refuse_null(void) {
    kinfolk_identities *found = NULL;
    const uint8_t *state = NULL;
    size_t length;
    uint8_t hash[KINFOLK_CONTACT_HASH_LENGTH] = { 0 };
    begin();
    REFUSED(kinfolk_contacts_new(NULL));
    REFUSED(kinfolk_contacts_add_email(NULL, "ada@example.com", NULL));
    REFUSED(kinfolk_contacts_add_email(contacts, NULL, NULL));
    REFUSED(kinfolk_contacts_add_hash(NULL, hash, sizeof hash, NULL));
    REFUSED(kinfolk_contacts_add_hash(contacts, NULL, sizeof hash, NULL));
    REFUSED(kinfolk_contacts_add_text(NULL, "a@example.com", 13, NULL));
    REFUSED(kinfolk_contacts_add_text(contacts, NULL, 13, NULL));
    REFUSED(kinfolk_contacts_add_vcard(NULL, "a@example.com", 13, NULL));
    REFUSED(kinfolk_contacts_add_vcard(contacts, NULL, 13, NULL));
    REFUSED(kinfolk_contacts_add_csv(NULL, "a@example.com", 13, NULL));
    REFUSED(kinfolk_contacts_add_csv(contacts, NULL, 13, NULL));
    REFUSED(kinfolk_contacts_add_ldif(NULL, "a@example.com", 13, NULL));
    REFUSED(kinfolk_contacts_add_ldif(contacts, NULL, 13, NULL));
    REFUSED(kinfolk_contacts_add_jcard(NULL, "a@example.com", 13, NULL));
    REFUSED(kinfolk_contacts_add_jcard(contacts, NULL, 13, NULL));
    REFUSED(kinfolk_contacts_add_file(NULL, file_path("contacts"), NULL));
    REFUSED(kinfolk_contacts_add_file(contacts, NULL, NULL));
    REFUSED(kinfolk_contacts_get_hash(NULL, 0, hash));
    REFUSED(kinfolk_contacts_get_hash(contacts, 0, NULL));
    EQUAL(kinfolk_contacts_count(contacts), 1);
    REFUSED(kinfolk_discover_record_id(NULL, NOBODY, &found));
    REFUSED(kinfolk_discover_record_id(session, NULL, &found));
    REFUSED(kinfolk_discover_record_id(session, NOBODY, NULL));
    REFUSED(kinfolk_discover_email(NULL, "ada@example.com", &found));
    REFUSED(kinfolk_discover_email(session, NULL, &found));
    REFUSED(kinfolk_discover_email(session, "ada@example.com", NULL));
    REFUSED(kinfolk_discover_contacts(NULL, contacts, NULL, 0, &found));
    REFUSED(kinfolk_discover_contacts(session, NULL, NULL, 0, &found));
    REFUSED(kinfolk_discover_contacts(session, contacts, NULL, 0, NULL));
    REFUSED(kinfolk_identities_sync_state(NULL, &state, &length));
    REFUSED(kinfolk_identities_sync_state(identities, NULL, &length));
    REFUSED(kinfolk_identities_sync_state(identities, &state, NULL));
    CHECK(found == NULL && state == NULL);
    end();
}

static void impossible_lengths_are_refused_before_anything_is_read(void) {
    static const size_t huge[] = { (size_t)1 << 31, SIZE_MAX / 8 + 1, SIZE_MAX / 8 + 2, SIZE_MAX / 2 + 1, SIZE_MAX };
    kinfolk_value *value = NULL;
    const char *text = "", *id = NOBODY;
    const uint8_t *bytes = (const uint8_t *)"b";
    int64_t integer = 0;
    double number = 0;
    bool boolean = false;
    size_t i, one = 1, zero = 0;
    begin();
    for (i = 0; i < sizeof huge / sizeof huge[0]; i++) {
        FAILS_EITHER(KINFOLK_LIMIT_EXCEEDED, KINFOLK_INVALID_ARGUMENT, kinfolk_record_set_bytes(record, "f", bytes, huge[i]));
        FAILS_EITHER(KINFOLK_LIMIT_EXCEEDED, KINFOLK_INVALID_ARGUMENT, kinfolk_value_new_string(text, huge[i], &value));
        FAILS_EITHER(KINFOLK_LIMIT_EXCEEDED, KINFOLK_INVALID_ARGUMENT, kinfolk_value_new_bytes(bytes, huge[i], &value));
        FAILS_EITHER(KINFOLK_LIMIT_EXCEEDED, KINFOLK_INVALID_ARGUMENT, kinfolk_value_new_string_list(&text, NULL, huge[i], &value));
        FAILS_EITHER(KINFOLK_LIMIT_EXCEEDED, KINFOLK_INVALID_ARGUMENT, kinfolk_value_new_string_list(&text, &huge[i], one, &value));
        FAILS_EITHER(KINFOLK_LIMIT_EXCEEDED, KINFOLK_INVALID_ARGUMENT, kinfolk_value_new_int64_list(&integer, huge[i], &value));
        FAILS_EITHER(KINFOLK_LIMIT_EXCEEDED, KINFOLK_INVALID_ARGUMENT, kinfolk_value_new_double_list(&number, huge[i], &value));
        FAILS_EITHER(KINFOLK_LIMIT_EXCEEDED, KINFOLK_INVALID_ARGUMENT, kinfolk_value_new_boolean_list(&boolean, huge[i], &value));
        FAILS_EITHER(KINFOLK_LIMIT_EXCEEDED, KINFOLK_INVALID_ARGUMENT, kinfolk_value_new_bytes_list(&bytes, &zero, huge[i], &value));
        FAILS_EITHER(KINFOLK_LIMIT_EXCEEDED, KINFOLK_INVALID_ARGUMENT, kinfolk_value_new_bytes_list(&bytes, &huge[i], one, &value));
        FAILS_EITHER(KINFOLK_LIMIT_EXCEEDED, KINFOLK_INVALID_ARGUMENT, kinfolk_value_new_date_list(&integer, huge[i], &value));
        FAILS_EITHER(KINFOLK_LIMIT_EXCEEDED, KINFOLK_INVALID_ARGUMENT, kinfolk_value_new_location_list(&number, &number, huge[i], &value));
        FAILS_EITHER(KINFOLK_LIMIT_EXCEEDED, KINFOLK_INVALID_ARGUMENT,
                     kinfolk_value_new_reference_list(&id, NULL, NULL, huge[i], &value));
    }
    EQUAL(kinfolk_record_field_count(record), 0);
    CHECK(value == NULL);
    end();
}

/* ---- Freeing */

enum { HANDLES = 7 };

static void free_handle(int which) {
    switch (which) {
    case 0: kinfolk_service_free(service); break;
    case 1: kinfolk_container_free(notes); break;
    case 2: kinfolk_account_free(ada); break;
    case 3: kinfolk_session_free(session); break;
    case 4: kinfolk_record_free(record); break;
    case 5: kinfolk_contacts_free(contacts); break;
    default: kinfolk_identities_free(identities);
    }
}

/* Uses the handles that have not been freed yet. Without the handle of the service, they have no store any more. */
static void use(const bool *freed) {
    const kinfolk_status wanted = freed[0] ? KINFOLK_SERVICE_UNAVAILABLE : KINFOLK_OK;
    char *given = NULL;
    kinfolk_account *found = NULL;
    kinfolk_account_status status;
    if (!freed[0]) {
        OK(kinfolk_account_find_by_email(service, "ada@example.com", &found));
        kinfolk_account_free(found);
    }
    if (!freed[1]) SAME(kinfolk_container_name(notes), NOTES);
    if (!freed[2]) {
        EQUAL(kinfolk_account_get_name(ada, &given, NULL), wanted);
        if (!freed[0]) SAME(given, "Ada");
        kinfolk_free(given);
    }
    if (!freed[3]) {
        OK(kinfolk_session_account_status(session, &status));
        EQUAL(status, freed[0] ? KINFOLK_ACCOUNT_COULD_NOT_DETERMINE : KINFOLK_ACCOUNT_AVAILABLE);
    }
    if (!freed[4]) OK(kinfolk_record_set_int64(record, "field", 1));
    if (!freed[3] && !freed[4]) EQUAL(kinfolk_record_save(session, record, KINFOLK_SAVE_ALL_KEYS), wanted);
    if (!freed[5]) EQUAL(kinfolk_contacts_count(contacts), 1);
    if (!freed[6]) EQUAL(kinfolk_identities_count(identities), 0);
}

/* Frees the handles in the order of the list, rotated by every number, forwards and backwards. So each is once the first and once
* the last. */
static void handles_may_be_freed_in_any_order(void) {
    int first, step, i;
    char store[40];
    for (first = 0; first < HANDLES; first++) {
        for (step = -1; step <= 1; step += 2) {
            bool freed[HANDLES] = { false };
            kinfolk_account *other = NULL;
            snprintf(store, sizeof store, "%d%d.db", first, step + 1);
            OK(store_open(store_path(store), NULL, &service));
            notes = make_container(service, NOTES);
            ada = make_person(service, "Ada", "Lovelace", "ada@example.com");
            session = sign_in(notes, ada);
            record = own_record(session, KINFOLK_DATABASE_PUBLIC);
            OK(kinfolk_contacts_new(&contacts));
            OK(kinfolk_contacts_add_email(contacts, "grace@example.com", NULL));
            OK(kinfolk_discover_contacts(session, contacts, NULL, 0, &identities));
            for (i = 0; i < HANDLES; i++) {
                int which = ((first + step * i) % HANDLES + HANDLES) % HANDLES;
                free_handle(which);
                freed[which] = true;
                use(freed);
            }
            OK(store_open(store_path(store), NULL, &service)); /* and the store still works */
            OK(kinfolk_account_find_by_email(service, "ada@example.com", &other));
            kinfolk_account_free(other);
            kinfolk_service_free(service);
        }
    }
}

static void the_handle_of_the_service_closes_the_store(void) {
    begin();
    CHECK(store_is_open());
    kinfolk_service_free(service);
    CHECK(store_is_closed());
    kinfolk_container_free(notes);
    kinfolk_account_free(ada);
    kinfolk_contacts_free(contacts);
    kinfolk_identities_free(identities);
    kinfolk_record_free(record);
    kinfolk_session_free(session);
}

BEGIN
    RUN(freeing_null_does_nothing);
    RUN(functions_that_cannot_fail_accept_null);
    RUN(services_and_addresses_refuse_null);
    RUN(keeping_a_store_refuses_null);
    RUN(accounts_refuse_null);
    RUN(containers_and_sessions_refuse_null);
    RUN(records_refuse_null);
    RUN(contacts_and_discovery_refuse_null);
    RUN(impossible_lengths_are_refused_before_anything_is_read);
    RUN(handles_may_be_freed_in_any_order);
    RUN(the_handle_of_the_service_closes_the_store);
END
