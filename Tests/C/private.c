/*
 * Private discovery: both halves, the keys of a directory, and which messages are refused. Who is found and what it costs is tested in Swift.
 *
 * The tests parse and make messages according to docs/private-discovery.md.
 */

#include "harness.h"
#include "people.h"

#define BOTH (KINFOLK_DIRECTORY_HASHED | KINFOLK_DIRECTORY_PRIVATE)

enum {
    HEADER = 8, /* KF, version, type, epoch */
    ID = 16,
    POINT = 32,
    PROOF = 64,
    ROW = 48,
    POINTS = HEADER + ID + 1 + 2, /* where the points of an evaluation begin, after flags and count */
    BITS = HEADER + ID,           /* where the number of bits of a prefix is in messages about buckets */
    BUCKETS = BITS + 1 + 2        /* where their list begins, after the number of buckets */
};
enum {
    DESCRIPTION_REQUEST = 1,
    DESCRIPTION,
    EVALUATION_REQUEST,
    EVALUATION,
    BUCKET_REQUEST,
    BUCKETS_ANSWER,
    RENEWAL_REQUEST,
    RENEWAL
};
/* An evaluation has two points for each of the request: under the epoch's key, and under the bucket key. */
enum { EVALUATED = 2 * POINT, PROOFS = 2 * PROOF };

static kinfolk_service *service;
static kinfolk_container *notes;
static kinfolk_session *caller, *ada, *grace;

/* Permits that never accrue. */
static void begin(uint32_t capacity) {
    service = open_store();
    notes = make_container(service, NOTES);
    OK(kinfolk_container_set_permits(notes, capacity, 0, capacity));
    OK(kinfolk_container_set_private_work(notes, 1000000, 1000000));
    OK(kinfolk_container_set_directory_modes(notes, BOTH, NULL, NULL));
    caller = make_findable(service, notes, "Charles", "Babbage", "charles@example.com");
    ada = make_findable(service, notes, "Ada", "Lovelace", "ada@example.com");
    grace = make_findable(service, notes, "Grace", "Hopper", "grace@example.org");
}

static void end(void) {
    kinfolk_session_free(caller);
    kinfolk_session_free(ada);
    kinfolk_session_free(grace);
    kinfolk_container_free(notes);
    kinfolk_service_free(service);
}

/* ---- Books, messages, conversations */

static kinfolk_contacts *book(const char *lines) {
    kinfolk_contacts *contacts = NULL;
    OK(kinfolk_contacts_new(&contacts));
    OK(kinfolk_contacts_add_text(contacts, lines, strlen(lines), NULL));
    return contacts;
}

/* A book of this many addresses that nobody has. */
static kinfolk_contacts *book_of(int count) {
    kinfolk_contacts *contacts = NULL;
    char email[40];
    int i;
    OK(kinfolk_contacts_new(&contacts));
    for (i = 0; i < count; i++) {
        snprintf(email, sizeof email, "nobody%d@example.com", i);
        OK(kinfolk_contacts_add_email(contacts, email, NULL));
    }
    return contacts;
}

typedef struct message {
    uint8_t *bytes;
    size_t length;
} message;

static message no_message(void) {
    message none = { NULL, 0 };
    return none;
}

static void drop(message *m) {
    kinfolk_free(m->bytes);
    *m = no_message();
}

static message copy_of(message m) {
    message copy = m;
    copy.bytes = malloc(m.length + 64); /* room for what a test adds */
    REQUIRE(copy.bytes != NULL);
    if (m.length > 0) memcpy(copy.bytes, m.bytes, m.length);
    return copy;
}

static int type_of(message m) { return m.length < HEADER ? 0 : m.bytes[3]; }
static bool same(message one, message other) {
    return one.length == other.length && memcmp(one.bytes, other.bytes, one.length) == 0;
}
static uint32_t number_at(const uint8_t *at, size_t size) {
    uint32_t number = 0;
    while (size-- > 0) number = number << 8 | *at++;
    return number;
}
static void set_number_at(uint8_t *at, size_t size, uint32_t number) {
    for (; size > 0; number >>= 8) at[--size] = (uint8_t)number;
}
static kinfolk_private_client *new_client(message state) {
    kinfolk_private_client *client = NULL;
    OK(kinfolk_private_client_new(NOTES, NULL, 0, NULL, NULL, state.bytes, state.length, 1, &client));
    return client;
}

/* A client that knows the container's newest public key beforehand. */
static kinfolk_private_client *new_checking_client(void) {
    kinfolk_private_client *client = NULL;
    kinfolk_private_epochs *epochs = NULL;
    OK(kinfolk_container_private_epochs(notes, &epochs));
    OK(kinfolk_private_client_new(NOTES, kinfolk_private_epochs_public_key(epochs, 0), 1, NULL, NULL, NULL, 0, 1, &client));
    kinfolk_private_epochs_free(epochs);
    return client;
}

static void set_lines(kinfolk_private_client *client, const char *lines) {
    kinfolk_contacts *contacts = book(lines);
    OK(kinfolk_private_client_set_contacts(client, contacts));
    kinfolk_contacts_free(contacts);
}

static message next(kinfolk_private_client *client) {
    message request = { NULL, 77 };
    OK(kinfolk_private_client_next_request(client, &request.bytes, &request.length));
    CHECK((request.bytes == NULL) == (request.length == 0));
    return request;
}

static kinfolk_status try_answer(const kinfolk_session *session, message request, message *answer) {
    return kinfolk_session_answer(session, request.bytes, request.length, 1, &answer->bytes, &answer->length);
}

static message answer_to(message request) {
    message answer = no_message();
    OK(try_answer(caller, request, &answer));
    return answer;
}

static kinfolk_status try_receive(kinfolk_private_client *client, message answer) {
    return kinfolk_private_client_receive(client, answer.bytes, answer.length);
}

/* A session must refuse a message, and return nothing. */
#define IS_REFUSED(wanted, request)                                                                                    \
    do {                                                                                                               \
        message refused_answer = { NULL, 77 };                                                                         \
        FAILS(wanted, try_answer(caller, request, &refused_answer));                                                   \
        CHECK(refused_answer.bytes == NULL && refused_answer.length == 77);                                            \
    } while (0)

/* Passes one request to the session and its answer to the client. False if there was no request. */
static bool exchange(kinfolk_private_client *client) {
    message request = next(client), answer;
    if (request.bytes == NULL) return false;
    answer = answer_to(request);
    OK(try_receive(client, answer));
    drop(&request);
    drop(&answer);
    return true;
}

static void converse(kinfolk_private_client *client) {
    while (exchange(client)) continue;
}

/* Answers all requests up to the first of this type, and returns that one. */
static message request_of(kinfolk_private_client *client, int type) {
    message request;
    while (type_of(request = next(client)) != type) {
        REQUIRE(request.bytes != NULL);
        drop(&request);
        exchange(client);
    }
    return request;
}

static message state_of(const kinfolk_private_client *client) {
    message state = no_message();
    OK(kinfolk_private_client_state(client, &state.bytes, &state.length));
    REQUIRE(state.bytes != NULL && state.length > 0);
    return state;
}

static kinfolk_identities *identities_of(const kinfolk_private_client *client) {
    kinfolk_identities *identities = NULL;
    OK(kinfolk_private_client_identities(client, &identities));
    return identities;
}

static size_t count_of(const kinfolk_private_client *client) {
    kinfolk_identities *identities = identities_of(client);
    size_t count = kinfolk_identities_count(identities);
    kinfolk_identities_free(identities);
    return count;
}

/* A complete private discovery. Returns how many people were found; keeps the state unless `next_state` is NULL. */
static kinfolk_status discover(const char *lines, message state, size_t *found, message *next_state) {
    kinfolk_contacts *contacts = book(lines);
    kinfolk_identities *identities = NULL;
    kinfolk_status status =
        kinfolk_discover_contacts_privately(caller, contacts, state.bytes, state.length, 1, &identities);
    kinfolk_contacts_free(contacts);
    if (status != KINFOLK_OK) {
        CHECK(identities == NULL);
        return status;
    }
    *found = kinfolk_identities_count(identities);
    if (next_state != NULL) {
        const uint8_t *bytes = NULL;
        message borrowed;
        OK(kinfolk_identities_sync_state(identities, &bytes, &borrowed.length));
        borrowed.bytes = (uint8_t *)bytes;
        *next_state = copy_of(borrowed);
    }
    kinfolk_identities_free(identities);
    return status;
}

static size_t found_in(const char *lines) {
    size_t found = 0;
    OK(discover(lines, no_message(), &found, NULL));
    return found;
}

/* Exactly one batch succeeds: so many permits were left, and refused requests have spent none. */
static void expect_permits_for_one_batch(void) {
    size_t found;
    OK(discover("unknown@example.com\n", no_message(), &found, NULL));
    FAILS(KINFOLK_REQUEST_RATE_LIMITED, discover("unknown@example.com\n", no_message(), &found, NULL));
    CHECK(kinfolk_error_retry_after() > 0);
}

/* ---- Who is found */

static void same_identities(const kinfolk_identities *one, const kinfolk_identities *other, bool names) {
    size_t i, k;
    EQUAL(kinfolk_identities_count(one), kinfolk_identities_count(other));
    for (i = 0; i < kinfolk_identities_count(other); i++) {
        SAME(kinfolk_identities_record_id(one, i), kinfolk_identities_record_id(other, i));
        SAME(kinfolk_identities_given_name(one, i), names ? kinfolk_identities_given_name(other, i) : "");
        SAME(kinfolk_identities_family_name(one, i), names ? kinfolk_identities_family_name(other, i) : "");
        EQUAL(kinfolk_identities_contact_count(one, i), kinfolk_identities_contact_count(other, i));
        for (k = 0; k < kinfolk_identities_contact_count(other, i); k++) {
            EQUAL(kinfolk_identities_contact_index(one, i, k), kinfolk_identities_contact_index(other, i, k));
            SAME(kinfolk_identities_contact_label(one, i, k), kinfolk_identities_contact_label(other, i, k));
        }
    }
}

static void private_discovery_finds_the_same_people_as_hashes(void) {
    kinfolk_contacts *contacts;
    kinfolk_identities *hashed = NULL, *private = NULL;
    kinfolk_private_client *client;
    kinfolk_account *account = NULL;
    begin(20000);
    OK(kinfolk_account_find_by_email(service, "ada@example.com", &account));
    OK(kinfolk_account_add_email(account, "ada@example.net", true, NULL));
    OK(kinfolk_account_add_email(account, "ada.unverified@example.net", false, NULL));
    kinfolk_account_free(account);
    contacts = book("Nobody <nobody@example.com>\nAda at home <ada@example.net>\nGrace <grace@example.org>\n"
                    "Me <charles@example.com>\nAda at work <Ada@Example.com>\nada.unverified@example.net\n");
    OK(kinfolk_discover_contacts(caller, contacts, NULL, 0, &hashed));
    EQUAL(kinfolk_identities_count(hashed), 2);
    OK(kinfolk_discover_contacts_privately(caller, contacts, NULL, 0, 0, &private));
    same_identities(private, hashed, true);
    kinfolk_identities_free(private);
    client = new_client(no_message());
    OK(kinfolk_private_client_set_contacts(client, contacts));
    kinfolk_contacts_free(contacts);
    EQUAL(count_of(client), 0);
    converse(client);
    private = identities_of(client);
    same_identities(private, hashed, false);
    kinfolk_identities_free(private);
    kinfolk_identities_free(hashed);
    kinfolk_private_client_free(client);
    end();
}

static void an_empty_book_requests_only_the_description(void) {
    kinfolk_private_client *client = new_client(no_message());
    message request;
    begin(1);
    request = next(client); /* without set_contacts at all */
    EQUAL(type_of(request), DESCRIPTION_REQUEST);
    drop(&request);
    CHECK(exchange(client));
    CHECK(!exchange(client));
    kinfolk_private_client_free(client);
    EQUAL(found_in(""), 0);
    end();
}

static void books_of_every_size_find_their_last_contact(void) {
    static const int sizes[] = { 63, 64, 65, 257 };
    size_t i;
    begin(1 << 20);
    for (i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        kinfolk_private_client *client = new_checking_client();
        kinfolk_contacts *contacts = book_of(sizes[i] - 1);
        OK(kinfolk_contacts_add_email(contacts, "ada@example.com", NULL));
        OK(kinfolk_private_client_set_contacts(client, contacts));
        converse(client);
        EQUAL(count_of(client), 1);
        kinfolk_contacts_free(contacts);
        kinfolk_private_client_free(client);
    }
    end();
}

/* ---- What the messages reveal */

/* ---- Directories */

static uint64_t people_told, people_in_all;
static int times_told;

static bool tell(uint64_t done, uint64_t total, void *context) {
    CHECK(context == &times_told && done >= people_told && done <= total);
    people_told = done;
    people_in_all = total;
    times_told++;
    return true;
}

static uint32_t modes_of(const kinfolk_container *container) {
    uint32_t modes = 99;
    OK(kinfolk_container_directory_modes(container, &modes));
    return modes;
}

static void a_container_can_change_its_modes_of_discovery(void) {
    kinfolk_container *games;
    kinfolk_identities *identities = NULL;
    size_t found = 77;
    begin(20000);
    games = make_container(service, GAMES);
    EQUAL(modes_of(games), KINFOLK_DIRECTORY_HASHED);
    kinfolk_container_free(games);
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_container_set_directory_modes(notes, 0, NULL, NULL));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_container_set_directory_modes(notes, 4, NULL, NULL));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_container_set_directory_modes(notes, UINT32_MAX, NULL, NULL));
    EQUAL(modes_of(notes), BOTH);

    OK(kinfolk_container_set_directory_modes(notes, KINFOLK_DIRECTORY_PRIVATE, NULL, NULL));
    EQUAL(modes_of(notes), KINFOLK_DIRECTORY_PRIVATE);
    FAILS(KINFOLK_PERMISSION_FAILURE, kinfolk_discover_email(caller, "ada@example.com", &identities));
    CHECK(identities == NULL);
    EQUAL(found_in("ada@example.com\n"), 1);

    times_told = 0, people_told = 0;
    OK(kinfolk_container_set_directory_modes(notes, KINFOLK_DIRECTORY_HASHED, tell, &times_told));
    CHECK(times_told > 0);
    EQUAL(people_told, 3);
    EQUAL(people_in_all, 3);
    EQUAL(modes_of(notes), KINFOLK_DIRECTORY_HASHED);
    FAILS(KINFOLK_UNKNOWN_ITEM, discover("ada@example.com\n", no_message(), &found, NULL));
    end();
}

static void without_a_private_directory_all_requests_are_refused(void) {
    kinfolk_private_client *client = new_client(no_message());
    kinfolk_private_epochs *epochs = NULL;
    uint8_t key[KINFOLK_PUBLIC_KEY_LENGTH] = { 77 };
    uint32_t epoch = 77;
    message request;
    service = open_store();
    notes = make_container(service, NOTES);
    caller = make_findable(service, notes, "Charles", "Babbage", "charles@example.com");
    request = next(client);
    IS_REFUSED(KINFOLK_UNKNOWN_ITEM, request);
    drop(&request);
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_container_renew_private_key(notes, NULL, NULL, &epoch));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_container_announce_next_private_key(notes, &epoch));
    EQUAL(epoch, 77);
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_container_end_private_epochs(notes, 1));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_service_bucket_public_key(service, key));
    EQUAL(key[0], 77);
    OK(kinfolk_container_private_epochs(notes, &epochs));
    EQUAL(kinfolk_private_epochs_count(epochs), 0);
    kinfolk_private_epochs_free(epochs);
    kinfolk_private_client_free(client);
    kinfolk_session_free(caller);
    kinfolk_container_free(notes);
    kinfolk_service_free(service);
}

static bool end_at_once(uint64_t done, uint64_t total, void *context) {
    (void)done, (void)total, (void)context;
    return false;
}

static void work_on_a_directory_that_was_cancelled_is_resumed(void) {
    kinfolk_private_epochs *epochs = NULL;
    uint32_t epoch = 77;
    size_t found = 77;
    begin(20000);
    OK(kinfolk_container_set_directory_modes(notes, KINFOLK_DIRECTORY_HASHED, NULL, NULL));
    FAILS(KINFOLK_CANCELLED, kinfolk_container_set_directory_modes(notes, BOTH, end_at_once, NULL));
    EQUAL(modes_of(notes), KINFOLK_DIRECTORY_HASHED);
    FAILS(KINFOLK_UNKNOWN_ITEM, discover("ada@example.com\n", no_message(), &found, NULL));
    OK(kinfolk_container_private_epochs(notes, &epochs));
    REQUIRE(kinfolk_private_epochs_count(epochs) == 1);
    CHECK(!kinfolk_private_epochs_is_complete(epochs, 0));
    kinfolk_private_epochs_free(epochs);
    OK(kinfolk_container_set_directory_modes(notes, BOTH, NULL, NULL));
    EQUAL(modes_of(notes), BOTH);
    EQUAL(found_in("ada@example.com\n"), 1);

    FAILS(KINFOLK_CANCELLED, kinfolk_container_renew_private_key(notes, end_at_once, NULL, &epoch));
    EQUAL(epoch, 77);
    EQUAL(found_in("ada@example.com\n"), 1); /* the old key still answers */
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_container_end_private_epochs(notes, 3));
    OK(kinfolk_container_renew_private_key(notes, NULL, NULL, &epoch));
    EQUAL(epoch, 3); /* the renewal that was begun */
    OK(kinfolk_container_end_private_epochs(notes, 3));
    EQUAL(found_in("ada@example.com\n"), 1);
    OK(kinfolk_container_private_epochs(notes, &epochs));
    EQUAL(kinfolk_private_epochs_count(epochs), 1);
    kinfolk_private_epochs_free(epochs);
    end();
}

/* ---- Epochs */

static void a_new_key_takes_over_while_the_old_one_still_answers(void) {
    kinfolk_private_client *old = new_client(no_message());
    kinfolk_private_epochs *epochs = NULL;
    uint8_t first_key[KINFOLK_PUBLIC_KEY_LENGTH];
    uint32_t epoch = 0;
    begin(20000);
    set_lines(old, "ada@example.com\n");
    exchange(old); /* it knows of epoch 1 only */
    OK(kinfolk_container_private_epochs(notes, &epochs));
    REQUIRE(kinfolk_private_epochs_count(epochs) == 1);
    EQUAL(kinfolk_private_epochs_number(epochs, 0), 1);
    CHECK(kinfolk_private_epochs_is_complete(epochs, 0));
    EQUAL(kinfolk_private_epochs_row_count(epochs, 0), 3);
    EQUAL(kinfolk_private_epochs_prefix_bits(epochs, 0), 0);
    memcpy(first_key, kinfolk_private_epochs_public_key(epochs, 0), sizeof first_key);
    kinfolk_private_epochs_free(epochs);

    times_told = 0, people_told = 0;
    OK(kinfolk_container_renew_private_key(notes, tell, &times_told, &epoch));
    EQUAL(epoch, 2);
    EQUAL(people_told, 3);
    EQUAL(people_in_all, 3);
    converse(old); /* in epoch 1 */
    EQUAL(count_of(old), 1);
    OK(kinfolk_private_client_begin(old)); /* in epoch 2 */
    converse(old);
    EQUAL(count_of(old), 1);
    kinfolk_private_client_free(old);
    OK(kinfolk_container_private_epochs(notes, &epochs));
    end();
    REQUIRE(kinfolk_private_epochs_count(epochs) == 2); /* also without the store */
    EQUAL(kinfolk_private_epochs_number(epochs, 0), 2);
    EQUAL(kinfolk_private_epochs_number(epochs, 1), 1);
    CHECK(memcmp(kinfolk_private_epochs_public_key(epochs, 1), first_key, sizeof first_key) == 0);
    CHECK(memcmp(kinfolk_private_epochs_public_key(epochs, 0), first_key, sizeof first_key) != 0);
    CHECK(kinfolk_private_epochs_is_complete(epochs, 0) && kinfolk_private_epochs_is_complete(epochs, 1));
    CHECK(kinfolk_private_epochs_public_key(epochs, 2) == NULL);
    EQUAL(kinfolk_private_epochs_number(epochs, 2), 0);
    CHECK(!kinfolk_private_epochs_is_complete(epochs, 2));
    kinfolk_private_epochs_free(epochs);
}

static void there_are_100_epochs_at_most(void) {
    uint32_t epoch = 0;
    int i;
    begin(64);
    for (i = 2; i <= 100; i++) OK(kinfolk_container_renew_private_key(notes, NULL, NULL, &epoch));
    EQUAL(epoch, 100);
    FAILS(KINFOLK_LIMIT_EXCEEDED, kinfolk_container_renew_private_key(notes, NULL, NULL, &epoch));
    EQUAL(found_in("ada@example.com\n"), 1); /* a description has all of them */
    OK(kinfolk_container_end_private_epochs(notes, 100));
    OK(kinfolk_container_renew_private_key(notes, NULL, NULL, &epoch));
    EQUAL(epoch, 101);
    end();
}

static void the_operator_and_the_client_set_the_number_of_prefix_bits(void) {
    static const int32_t bits[] = { -1, 12, 32 }, bad[] = { -2, 33, INT32_MIN, INT32_MAX };
    kinfolk_private_client *client = new_client(no_message());
    kinfolk_private_epochs *epochs = NULL;
    message request;
    size_t i;
    begin(20000);
    for (i = 0; i < 3; i++) {
        OK(kinfolk_container_set_prefix_bits(notes, bits[i]));
        OK(kinfolk_container_private_epochs(notes, &epochs));
        EQUAL(kinfolk_private_epochs_prefix_bits(epochs, 0), bits[i] < 0 ? 0 : bits[i]);
        kinfolk_private_epochs_free(epochs);
    }
    for (i = 0; i < 4; i++) FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_container_set_prefix_bits(notes, bad[i]));
    set_lines(client, "ada@example.com\n");
    request = request_of(client, BUCKET_REQUEST);
    EQUAL(request.bytes[BITS], 20); /* unless they changed */
    drop(&request);
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_private_client_set_maximum_prefix_bits(client, 33));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_private_client_set_maximum_prefix_bits(client, UINT32_MAX));
    OK(kinfolk_private_client_set_maximum_prefix_bits(client, 7));
    OK(kinfolk_private_client_begin(client));
    request = request_of(client, BUCKET_REQUEST);
    EQUAL(request.bytes[BITS], 7);
    drop(&request);
    converse(client);
    EQUAL(count_of(client), 1);
    kinfolk_private_client_free(client);
    end();
}

/* ---- Permits */

static void hashed_and_private_discovery_share_the_permits(void) {
    kinfolk_identities *identities = NULL;
    size_t found = 77;
    begin(65);
    OK(kinfolk_discover_email(caller, "ada@example.com", &identities));
    kinfolk_identities_free(identities);
    EQUAL(found_in("ada@example.com\n"), 1);
    FAILS(KINFOLK_REQUEST_RATE_LIMITED, kinfolk_discover_email(caller, "ada@example.com", &identities));
    FAILS(KINFOLK_REQUEST_RATE_LIMITED, discover("ada@example.com\n", no_message(), &found, NULL));
    end();
}

static void only_an_account_in_good_standing_is_answered(void) {
    static const int types[] = { DESCRIPTION_REQUEST, EVALUATION_REQUEST, BUCKET_REQUEST };
    kinfolk_private_client *client = new_client(no_message());
    kinfolk_account *account = NULL;
    kinfolk_session *anonymous = NULL, *charles;
    message requests[3];
    size_t i, found = 77;
    begin(128);
    charles = caller;
    set_lines(client, "ada@example.com\n");
    for (i = 0; i < 3; i++) requests[i] = request_of(client, types[i]);
    OK(kinfolk_session_open_anonymous(notes, &anonymous));
    OK(kinfolk_account_find_by_email(service, "charles@example.com", &account));
    caller = anonymous;
    for (i = 0; i < 3; i++) IS_REFUSED(KINFOLK_NOT_AUTHENTICATED, requests[i]);
    FAILS(KINFOLK_NOT_AUTHENTICATED, discover("ada@example.com\n", no_message(), &found, NULL));
    caller = charles;
    OK(kinfolk_account_suspend(account));
    for (i = 0; i < 3; i++) IS_REFUSED(KINFOLK_NOT_AUTHENTICATED, requests[i]);
    OK(kinfolk_account_resume(account));
    expect_permits_for_one_batch(); /* of the 128, one batch was spent before */
    for (i = 0; i < 3; i++) drop(&requests[i]);
    kinfolk_account_free(account);
    kinfolk_session_free(anonymous);
    kinfolk_private_client_free(client);
    end();
}

/* ---- Requests that a session refuses */

/* The request with one number changed. */
static void refuse_number(kinfolk_status wanted, message request, size_t at, size_t size, uint32_t number) {
    message bad = copy_of(request);
    set_number_at(bad.bytes + at, size, number);
    IS_REFUSED(wanted, bad);
    free(bad.bytes);
}

/* Invalid requests: too short, too long, of another kind, or of an epoch that does not exist. */
static void refuse_all_variants(message request) {
    static const int other_types[] = { 0, DESCRIPTION, EVALUATION, BUCKETS_ANSWER, RENEWAL, 9, 128, 255 };
    message bad = copy_of(request);
    size_t i;
    for (bad.length = 0; bad.length < request.length; bad.length++) IS_REFUSED(KINFOLK_INVALID_ARGUMENT, bad);
    bad.length = request.length + 1;
    bad.bytes[request.length] = 0;
    IS_REFUSED(KINFOLK_INVALID_ARGUMENT, bad);
    free(bad.bytes);
    for (i = 0; i < 3; i++) { /* KF and the version */
        refuse_number(KINFOLK_INVALID_ARGUMENT, request, i, 1, request.bytes[i] ^ 1u);
        refuse_number(KINFOLK_INVALID_ARGUMENT, request, i, 1, request.bytes[i] ^ 0x80u);
    }
    for (i = 0; i < sizeof other_types / sizeof other_types[0]; i++)
        refuse_number(KINFOLK_INVALID_ARGUMENT, request, 3, 1, (uint32_t)other_types[i]);
    for (i = DESCRIPTION_REQUEST; i <= BUCKET_REQUEST; i += 2) { /* another request's type */
        if (request.bytes[3] != i) refuse_number(KINFOLK_INVALID_ARGUMENT, request, 3, 1, (uint32_t)i);
    }
}

static void a_malformed_request_is_refused_and_costs_nothing(void) {
    kinfolk_private_client *client = new_client(no_message());
    message request, garbage;
    begin(128);
    OK(kinfolk_container_set_prefix_bits(notes, 12));
    set_lines(client, "ada@example.com\n");
    request = request_of(client, DESCRIPTION_REQUEST);
    refuse_all_variants(request);
    refuse_number(KINFOLK_INVALID_ARGUMENT, request, 4, 4, 1); /* it names no epoch */
    drop(&request);

    request = request_of(client, BUCKET_REQUEST); /* this has spent 64 */
    refuse_all_variants(request);
    refuse_number(KINFOLK_UNKNOWN_ITEM, request, 4, 4, 2);
    refuse_number(KINFOLK_INVALID_ARGUMENT, request, BITS, 1, 33);
    refuse_number(KINFOLK_INVALID_ARGUMENT, request, BITS, 1, 11); /* a bit after the last one, in some prefix */
    refuse_number(KINFOLK_INVALID_ARGUMENT, request, BITS, 1, 8);  /* shorter prefixes than are there */
    refuse_number(KINFOLK_CONFLICT, request, BITS, 1, 16); /* well-formed, but not what this directory has */
    refuse_number(KINFOLK_INVALID_ARGUMENT, request, BITS + 1, 2, 0);
    refuse_number(KINFOLK_INVALID_ARGUMENT, request, BITS + 1, 2, 4097);
    refuse_number(KINFOLK_INVALID_ARGUMENT, request, BITS + 1, 2, 65535);
    refuse_number(KINFOLK_INVALID_ARGUMENT, request, BUCKETS, 2, number_at(request.bytes + BUCKETS, 2) | 1); /* of 12 */
    refuse_number(KINFOLK_INVALID_ARGUMENT, request, BUCKETS, 2, number_at(request.bytes + BUCKETS + 7, 2)); /* twice */
    refuse_number(KINFOLK_INVALID_ARGUMENT, request, BUCKETS, 2, 0xfff0); /* not in their order */
    drop(&request);

    garbage.length = (size_t)64 << 20;
    garbage.bytes = calloc(garbage.length, 1);
    REQUIRE(garbage.bytes != NULL);
    IS_REFUSED(KINFOLK_INVALID_ARGUMENT, garbage);
    free(garbage.bytes);
    expect_permits_for_one_batch();
    kinfolk_private_client_free(client);
    end();
}

/* No point: the identity, and a number that is not below p. (OPRFRefusalTests has all encodings that are refused.) */
static const uint8_t bad_points[][POINT] = { { 0 }, { 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                                      0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                                      0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff } };
enum { BAD_POINTS = sizeof bad_points / sizeof bad_points[0] };

static void the_number_of_threads_does_not_change_the_result(void) {
    kinfolk_private_client *client = new_client(no_message());
    kinfolk_contacts *contacts;
    message request, one, many;
    begin(20000);
    contacts = book_of(300);
    OK(kinfolk_private_client_set_contacts(client, contacts));
    kinfolk_contacts_free(contacts);
    request = request_of(client, EVALUATION_REQUEST);
    OK(kinfolk_session_answer(caller, request.bytes, request.length, 1, &one.bytes, &one.length));
    OK(kinfolk_session_answer(caller, request.bytes, request.length, UINT32_MAX, &many.bytes, &many.length));
    CHECK(same(one, many));
    drop(&one);
    drop(&many);
    drop(&request);
    kinfolk_private_client_free(client);
    end();
}

/* ---- Answers that a client refuses */

/* The client must refuse an answer, and keep its request. */
#define NOT_TAKEN(wanted, client, answer)                                                                              \
    do {                                                                                                               \
        FAILS(wanted, try_receive(client, answer));                                                                    \
        expect_same_request(client);                                                                                   \
    } while (0)

static message standing; /* the request that it keeps */

static void expect_same_request(kinfolk_private_client *client) {
    message request = next(client);
    CHECK(same(request, standing));
    drop(&request);
}

static void not_taken_with_number(kinfolk_status wanted, kinfolk_private_client *client, message answer, size_t at,
                                  size_t size, uint32_t number) {
    message bad = copy_of(answer);
    set_number_at(bad.bytes + at, size, number);
    NOT_TAKEN(wanted, client, bad);
    free(bad.bytes);
}

static void take_no_variant(kinfolk_private_client *client, message answer) {
    message bad = copy_of(answer);
    size_t i;
    for (bad.length = 0; bad.length < answer.length; bad.length++) {
        FAILS(KINFOLK_INVALID_ARGUMENT, try_receive(client, bad));
        if (harness.faults > 0) break;
    }
    bad.length = answer.length + 1;
    bad.bytes[answer.length] = 0;
    NOT_TAKEN(KINFOLK_INVALID_ARGUMENT, client, bad);
    free(bad.bytes);
    for (i = 0; i < 3; i++)
        not_taken_with_number(KINFOLK_INVALID_ARGUMENT, client, answer, i, 1, answer.bytes[i] ^ 1u);
    not_taken_with_number(KINFOLK_INVALID_ARGUMENT, client, answer, 3, 1, 0);
    not_taken_with_number(KINFOLK_INVALID_ARGUMENT, client, answer, 3, 1, 9);
    for (i = DESCRIPTION_REQUEST; i <= RENEWAL; i++) /* it is no answer to this request, whatever it contains */
        if (answer.bytes[3] != i) not_taken_with_number(KINFOLK_CONFLICT, client, answer, 3, 1, (uint32_t)i);
    NOT_TAKEN(KINFOLK_CONFLICT, client, standing); /* its own request */
}

static void a_client_refuses_malformed_descriptions(void) {
    enum { COUNT = HEADER + 32, FIRST = COUNT + 1, STATE = 4, BITS_AT = 5, KEY = 6, LENGTH = KEY + 32 };
    kinfolk_private_client *client = new_client(no_message());
    message answer, bad;
    uint32_t epoch = 0;
    size_t i;
    begin(64);
    OK(kinfolk_container_renew_private_key(notes, NULL, NULL, &epoch)); /* two epochs */
    set_lines(client, "ada@example.com\n");
    standing = request_of(client, DESCRIPTION_REQUEST);
    answer = answer_to(standing);
    REQUIRE(answer.length == FIRST + 2 * LENGTH);
    take_no_variant(client, answer);
    not_taken_with_number(KINFOLK_INVALID_ARGUMENT, client, answer, 4, 4, 1); /* it is headed by another epoch */
    not_taken_with_number(KINFOLK_INVALID_ARGUMENT, client, answer, COUNT, 1, 0);
    not_taken_with_number(KINFOLK_INVALID_ARGUMENT, client, answer, COUNT, 1, 1);
    not_taken_with_number(KINFOLK_INVALID_ARGUMENT, client, answer, COUNT, 1, 3);
    not_taken_with_number(KINFOLK_INVALID_ARGUMENT, client, answer, FIRST + LENGTH, 4, 2); /* twice */
    not_taken_with_number(KINFOLK_INVALID_ARGUMENT, client, answer, FIRST + LENGTH, 4, 3); /* not newest first */
    not_taken_with_number(KINFOLK_INVALID_ARGUMENT, client, answer, FIRST + LENGTH, 4, 0);
    not_taken_with_number(KINFOLK_INVALID_ARGUMENT, client, answer, FIRST + BITS_AT, 1, 33);
    not_taken_with_number(KINFOLK_INVALID_ARGUMENT, client, answer, FIRST + LENGTH + BITS_AT, 1, 33);
    not_taken_with_number(KINFOLK_INVALID_ARGUMENT, client, answer, FIRST + STATE, 1, 3);
    not_taken_with_number(KINFOLK_INVALID_ARGUMENT, client, answer, FIRST + STATE, 1, 1); /* the newest does not answer */
    for (i = 0; i < BAD_POINTS; i++) {
        bad = copy_of(answer);
        memcpy(bad.bytes + FIRST + KEY, bad_points[i], POINT);
        NOT_TAKEN(KINFOLK_INVALID_ARGUMENT, client, bad);
        memcpy(bad.bytes, answer.bytes, answer.length);
        memcpy(bad.bytes + HEADER, bad_points[i], POINT); /* the bucket key */
        NOT_TAKEN(KINFOLK_INVALID_ARGUMENT, client, bad);
        free(bad.bytes);
    }
    bad = copy_of(answer); /* no epoch at all */
    bad.length = FIRST;
    memset(bad.bytes + 4, 0, 4);
    bad.bytes[COUNT] = 0;
    NOT_TAKEN(KINFOLK_INVALID_ARGUMENT, client, bad);
    free(bad.bytes);
    OK(try_receive(client, answer));
    drop(&answer);
    drop(&standing);
    converse(client);
    EQUAL(count_of(client), 1);
    kinfolk_private_client_free(client);
    end();
}

static void a_client_accepts_only_the_right_evaluation(void) {
    kinfolk_private_client *client = new_client(no_message());
    message answer, bad, state, state_after;
    size_t i, k;
    begin(20000);
    set_lines(client, "ada@example.com\n");
    standing = request_of(client, EVALUATION_REQUEST);
    answer = answer_to(standing);
    REQUIRE(answer.length == POINTS + 64 * EVALUATED);
    state = state_of(client);
    take_no_variant(client, answer);
    for (i = 0; i < ID; i++)
        not_taken_with_number(KINFOLK_CONFLICT, client, answer, HEADER + i, 1, answer.bytes[HEADER + i] ^ 1u);
    not_taken_with_number(KINFOLK_CONFLICT, client, answer, 4, 4, 0);
    not_taken_with_number(KINFOLK_CONFLICT, client, answer, 4, 4, 2);
    not_taken_with_number(KINFOLK_INVALID_ARGUMENT, client, answer, HEADER + ID, 1, 2);
    not_taken_with_number(KINFOLK_INVALID_ARGUMENT, client, answer, HEADER + ID, 1, 1); /* a proof is missing */
    not_taken_with_number(KINFOLK_INVALID_ARGUMENT, client, answer, HEADER + ID + 1, 2, 0);
    not_taken_with_number(KINFOLK_INVALID_ARGUMENT, client, answer, HEADER + ID + 1, 2, 63);
    not_taken_with_number(KINFOLK_INVALID_ARGUMENT, client, answer, HEADER + ID + 1, 2, 65535);
    bad = copy_of(answer); /* another number of points */
    bad.length -= EVALUATED;
    set_number_at(bad.bytes + HEADER + ID + 1, 2, 63);
    NOT_TAKEN(KINFOLK_CONFLICT, client, bad);
    free(bad.bytes);
    for (i = 0; i < BAD_POINTS; i++) {
        for (k = 0; k < 128; k += 127) { /* the first under the epoch's key, the last under the bucket key */
            bad = copy_of(answer);
            memcpy(bad.bytes + POINTS + k * POINT, bad_points[i], POINT);
            NOT_TAKEN(KINFOLK_INVALID_ARGUMENT, client, bad);
            free(bad.bytes);
        }
    }
    state_after = state_of(client);
    CHECK(same(state_after, state)); /* nothing was accepted */
    drop(&state);
    drop(&state_after);
    OK(try_receive(client, answer));
    drop(&standing);
    standing = next(client);
    NOT_TAKEN(KINFOLK_CONFLICT, client, answer); /* for the second time */
    drop(&answer);
    drop(&standing);
    converse(client);
    EQUAL(count_of(client), 1);
    kinfolk_private_client_free(client);
    end();
}

static void a_client_accepts_only_the_right_buckets(void) {
    enum { VERSION = BUCKETS + 1, ROWS = VERSION + 5 + 4 }; /* of one bucket, the whole directory */
    kinfolk_private_client *client = new_client(no_message());
    message answer, bad, state, state_after;
    size_t i;
    begin(20000);
    set_lines(client, "ada@example.com\n");
    standing = request_of(client, BUCKET_REQUEST);
    answer = answer_to(standing);
    REQUIRE(answer.length == ROWS + 2 * ROW);
    state = state_of(client);
    take_no_variant(client, answer);
    for (i = 0; i < ID; i++)
        not_taken_with_number(KINFOLK_CONFLICT, client, answer, HEADER + i, 1, answer.bytes[HEADER + i] ^ 0x80u);
    not_taken_with_number(KINFOLK_CONFLICT, client, answer, 4, 4, 2); /* of another epoch */
    not_taken_with_number(KINFOLK_CONFLICT, client, answer, 4, 4, 0);
    not_taken_with_number(KINFOLK_CONFLICT, client, answer, BITS, 1, 1);
    not_taken_with_number(KINFOLK_INVALID_ARGUMENT, client, answer, BITS, 1, 33);
    not_taken_with_number(KINFOLK_INVALID_ARGUMENT, client, answer, BITS + 1, 2, 0); /* a bit of a bucket too many */
    not_taken_with_number(KINFOLK_CONFLICT, client, answer, BITS + 1, 2, 2);
    not_taken_with_number(KINFOLK_INVALID_ARGUMENT, client, answer, BITS + 1, 2, 65535);
    for (i = 1; i < 8; i++)
        not_taken_with_number(KINFOLK_INVALID_ARGUMENT, client, answer, BUCKETS, 1, 0x80u | 0x80u >> i);
    not_taken_with_number(KINFOLK_INVALID_ARGUMENT, client, answer, VERSION + 5, 4, 1);
    not_taken_with_number(KINFOLK_INVALID_ARGUMENT, client, answer, VERSION + 5, 4, 3);
    not_taken_with_number(KINFOLK_INVALID_ARGUMENT, client, answer, VERSION + 5, 4, UINT32_MAX);
    bad = copy_of(answer); /* "not changed", for a bucket that the client does not have */
    bad.bytes[BUCKETS] = 0;
    bad.length = BUCKETS + 1;
    NOT_TAKEN(KINFOLK_INVALID_ARGUMENT, client, bad);
    free(bad.bytes);
    state_after = state_of(client);
    CHECK(same(state_after, state));
    drop(&state);
    drop(&state_after);
    EQUAL(count_of(client), 0);
    OK(try_receive(client, answer));
    EQUAL(count_of(client), 1);
    drop(&answer);
    drop(&standing);
    kinfolk_private_client_free(client);
    end();
}

static void a_changed_or_moved_row_does_not_open(void) {
    enum { ROWS = BUCKETS + 1 + 5 + 4 };
    kinfolk_private_client *client = new_client(no_message()), *again;
    message request, answer, bad, state, old_rows;
    uint8_t row[ROW];
    uint32_t epoch = 0;
    size_t i;
    begin(20000);
    deny(caller);
    deny(grace); /* one row: Ada's */
    set_lines(client, "ada@example.com\n");
    request = request_of(client, BUCKET_REQUEST);
    answer = answer_to(request);
    REQUIRE(answer.length == ROWS + ROW);
    state = state_of(client); /* evaluated, but nothing looked up */
    kinfolk_private_client_free(client);
    drop(&request);
    for (i = 0; i < ROW; i++) {
        again = new_client(state);
        set_lines(again, "ada@example.com\n");
        request = request_of(again, BUCKET_REQUEST);
        bad = answer_to(request);
        bad.bytes[ROWS + i] ^= 1;
        OK(try_receive(again, bad));
        EQUAL(count_of(again), 0);
        drop(&bad);
        drop(&request);
        kinfolk_private_client_free(again);
    }
    /* A row of an earlier epoch does not open in this one, under either tag. */
    old_rows = answer;
    OK(kinfolk_container_renew_private_key(notes, NULL, NULL, &epoch));
    for (i = 0; i < 2; i++) {
        again = new_client(state);
        set_lines(again, "ada@example.com\n");
        request = request_of(again, BUCKET_REQUEST);
        bad = answer_to(request);
        EQUAL(number_at(bad.bytes + 4, 4), 2);
        memcpy(row, old_rows.bytes + ROWS, ROW);
        if (i == 1) memcpy(row, bad.bytes + ROWS, 8);
        memcpy(bad.bytes + ROWS, row, ROW);
        OK(try_receive(again, bad));
        EQUAL(count_of(again), 0);
        drop(&bad);
        drop(&request);
        kinfolk_private_client_free(again);
    }
    drop(&answer);
    drop(&state);
    end();
}

/* ---- Proofs */

static void a_client_accepts_any_of_its_published_keys_and_no_other(void) {
    uint8_t keys[2 * KINFOLK_PUBLIC_KEY_LENGTH];
    kinfolk_private_epochs *epochs = NULL;
    kinfolk_private_client *client = NULL;
    uint32_t epoch = 0;
    message answer;
    begin(20000);
    OK(kinfolk_container_renew_private_key(notes, NULL, NULL, &epoch));
    OK(kinfolk_container_private_epochs(notes, &epochs));
    memcpy(keys, kinfolk_private_epochs_public_key(epochs, 1), KINFOLK_PUBLIC_KEY_LENGTH);
    memcpy(keys + KINFOLK_PUBLIC_KEY_LENGTH, kinfolk_private_epochs_public_key(epochs, 0), KINFOLK_PUBLIC_KEY_LENGTH);
    kinfolk_private_epochs_free(epochs);
    OK(kinfolk_container_end_private_epochs(notes, epoch));
    OK(kinfolk_private_client_new(NOTES, keys, 1, NULL, NULL, NULL, 0, 1, &client)); /* the old one alone */
    set_lines(client, "ada@example.com\n");
    standing = next(client);
    answer = answer_to(standing);
    NOT_TAKEN(KINFOLK_KEY_MISMATCH, client, answer);
    drop(&standing);
    drop(&answer);
    kinfolk_private_client_free(client);
    OK(kinfolk_private_client_new(NOTES, keys, 2, NULL, NULL, NULL, 0, UINT32_MAX, &client)); /* both, and many threads */
    set_lines(client, "ada@example.com\n");
    converse(client);
    EQUAL(count_of(client), 1);
    kinfolk_private_client_free(client);
    end();
}

static void a_bucket_key_is_published_and_pinned(void) {
    uint8_t key[KINFOLK_PUBLIC_KEY_LENGTH], bad[KINFOLK_PUBLIC_KEY_LENGTH];
    kinfolk_private_client *client = NULL;
    kinfolk_private_epochs *epochs = NULL;
    message answer, state, request;
    begin(20000);
    OK(kinfolk_service_bucket_public_key(service, key));
    OK(kinfolk_container_private_epochs(notes, &epochs));
    memcpy(bad, kinfolk_private_epochs_public_key(epochs, 0), sizeof bad); /* a key, and not this one */
    kinfolk_private_epochs_free(epochs);
    OK(kinfolk_private_client_new(NOTES, NULL, 0, key, NULL, NULL, 0, 1, &client));
    set_lines(client, "ada@example.com\n");
    request = request_of(client, EVALUATION_REQUEST);
    EQUAL(request.bytes[HEADER + ID], 1); /* with a proof */
    drop(&request);
    converse(client);
    EQUAL(count_of(client), 1);
    state = state_of(client);
    kinfolk_private_client_free(client);
    client = NULL;
    FAILS(KINFOLK_KEY_MISMATCH,
          kinfolk_private_client_new(NOTES, NULL, 0, bad, NULL, state.bytes, state.length, 1, &client));
    OK(kinfolk_private_client_new(NOTES, NULL, 0, bad, NULL, NULL, 0, 1, &client));
    standing = next(client);
    answer = answer_to(standing);
    NOT_TAKEN(KINFOLK_KEY_MISMATCH, client, answer);
    drop(&standing);
    kinfolk_private_client_free(client);
    client = new_client(state); /* the first key that it saw */
    standing = next(client);
    memcpy(answer.bytes + HEADER, bad, sizeof bad);
    NOT_TAKEN(KINFOLK_CONFLICT, client, answer);
    drop(&answer);
    drop(&standing);
    drop(&state);
    kinfolk_private_client_free(client);
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_private_client_new(NOTES, NULL, 0, bad_points[0], NULL, NULL, 0, 1, &client));
    end();
}

static void a_filler_secret_can_be_set_and_read(void) {
    uint8_t secret[KINFOLK_FILLER_SECRET_LENGTH], other[KINFOLK_FILLER_SECRET_LENGTH];
    kinfolk_private_client *one = new_client(no_message()), *two = NULL;
    message state, first, second;
    begin(20000);
    OK(kinfolk_container_set_prefix_bits(notes, 16));
    OK(kinfolk_private_client_filler_secret(one, secret));
    OK(kinfolk_private_client_new(NOTES, NULL, 0, NULL, secret, NULL, 0, 1, &two));
    OK(kinfolk_private_client_filler_secret(two, other));
    CHECK(memcmp(secret, other, sizeof secret) == 0);
    set_lines(one, "ada@example.com\n");
    set_lines(two, "ada@example.com\n");
    first = request_of(one, BUCKET_REQUEST);
    second = request_of(two, BUCKET_REQUEST);
    EQUAL(first.length, second.length);
    CHECK(memcmp(first.bytes + BITS, second.bytes + BITS, first.length - BITS) == 0); /* the same buckets */
    drop(&first);
    drop(&second);
    kinfolk_private_client_free(two);
    two = NULL;
    state = state_of(one);
    secret[0] ^= 1;
    FAILS(KINFOLK_INVALID_ARGUMENT,
          kinfolk_private_client_new(NOTES, NULL, 0, NULL, secret, state.bytes, state.length, 1, &two));
    drop(&state);
    kinfolk_private_client_free(one);
    end();
}

static void a_key_is_announced_before_it_answers(void) {
    kinfolk_private_epochs *epochs = NULL;
    uint8_t key[KINFOLK_PUBLIC_KEY_LENGTH];
    uint32_t announced = 0, again = 0, consequences = 77;
    begin(20000);
    OK(kinfolk_container_announce_next_private_key(notes, &announced));
    OK(kinfolk_container_announce_next_private_key(notes, &again));
    EQUAL(announced, 2);
    EQUAL(again, 2);
    OK(kinfolk_container_private_epochs(notes, &epochs));
    EQUAL(kinfolk_private_epochs_count(epochs), 2);
    CHECK(kinfolk_private_epochs_is_announced(epochs, 0) && !kinfolk_private_epochs_is_complete(epochs, 0));
    CHECK(!kinfolk_private_epochs_is_announced(epochs, 1) && !kinfolk_private_epochs_is_announced(epochs, 9));
    memcpy(key, kinfolk_private_epochs_public_key(epochs, 0), sizeof key);
    kinfolk_private_epochs_free(epochs);
    EQUAL(found_in("ada@example.com\n"), 1);
    OK(kinfolk_service_rotate_keys(service, NULL, false, NULL, NULL, NULL, &consequences));
    EQUAL(consequences, 0);
    OK(kinfolk_container_private_epochs(notes, &epochs));
    EQUAL(kinfolk_private_epochs_count(epochs), 2);
    CHECK(kinfolk_private_epochs_is_complete(epochs, 0));
    CHECK(memcmp(kinfolk_private_epochs_public_key(epochs, 0), key, sizeof key) == 0);
    kinfolk_private_epochs_free(epochs);
    OK(kinfolk_service_rotate_keys(service, NULL, true, NULL, NULL, NULL, &consequences));
    EQUAL(consequences, KINFOLK_ROTATION_PINNED_CLIENTS | KINFOLK_ROTATION_PAID_CONTACTS | KINFOLK_ROTATION_SYNC_STATES
                            | KINFOLK_ROTATION_VERIFICATION_CODES | KINFOLK_ROTATION_BUCKET_KEY_STAYS
                            | KINFOLK_ROTATION_WEB_SESSIONS);
    OK(kinfolk_container_private_epochs(notes, &epochs));
    EQUAL(kinfolk_private_epochs_count(epochs), 1);
    kinfolk_private_epochs_free(epochs);
    EQUAL(found_in("ada@example.com\n"), 1);
    end();
}

/* ---- Making a client */

static void a_client_needs_a_container_name_and_valid_keys(void) {
    static uint8_t keys[1001 * KINFOLK_PUBLIC_KEY_LENGTH];
    kinfolk_private_client *client = NULL;
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_private_client_new("notes", NULL, 0, NULL, NULL, NULL, 0, 1, &client));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_private_client_new(NOTES, keys, 1, NULL, NULL, NULL, 0, 1, &client));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_private_client_new(NOTES, NULL, 0, keys, NULL, NULL, 0, 1, &client));
    FAILS(KINFOLK_LIMIT_EXCEEDED, kinfolk_private_client_new(NOTES, keys, 1001, NULL, NULL, NULL, 0, 1, &client));
    FAILS(KINFOLK_LIMIT_EXCEEDED, kinfolk_private_client_new(NOTES, keys, SIZE_MAX / 32 + 2, NULL, NULL, NULL, 0, 1, &client));
    CHECK(client == NULL);
}

static void a_state_that_is_damaged_or_of_another_container_is_refused(void) {
    kinfolk_private_client *client = new_client(no_message()), *other = NULL;
    message state, bad;
    size_t found = 77;
    begin(128);
    set_lines(client, "ada@example.com\n");
    converse(client);
    state = state_of(client);
    bad = copy_of(state);
    bad.bytes[bad.length++] = 0;
    FAILS(KINFOLK_INVALID_ARGUMENT,
          kinfolk_private_client_new(NOTES, NULL, 0, NULL, NULL, bad.bytes, bad.length, 1, &other));
    FAILS(KINFOLK_INVALID_ARGUMENT, discover("ada@example.com\n", bad, &found, NULL));
    free(bad.bytes);
    FAILS(KINFOLK_INVALID_ARGUMENT,
          kinfolk_private_client_new(GAMES, NULL, 0, NULL, NULL, state.bytes, state.length, 1, &other));
    FAILS(KINFOLK_INVALID_ARGUMENT, /* a name with the same beginning */
          kinfolk_private_client_new("com.example.note", NULL, 0, NULL, NULL, state.bytes, state.length, 1, &other));
    CHECK(other == NULL);
    drop(&state);
    expect_permits_for_one_batch();
    kinfolk_private_client_free(client);
    end();
}

static void a_client_with_its_state_does_not_pay_for_known_contacts(void) {
    message state = no_message(), next_state = no_message();
    size_t found = 0;
    begin(64);
    OK(discover("ada@example.com\nunknown@example.com\n", no_message(), &found, &state));
    EQUAL(found, 1);
    OK(discover("unknown@example.com\nada@example.com\n", state, &found, &next_state));
    EQUAL(found, 1);
    FAILS(KINFOLK_REQUEST_RATE_LIMITED, discover("grace@example.org\n", next_state, &found, NULL));
    FAILS(KINFOLK_REQUEST_RATE_LIMITED, discover("ada@example.com\n", no_message(), &found, NULL));
    free(state.bytes);
    free(next_state.bytes);
    end();
}

BEGIN
    RUN(private_discovery_finds_the_same_people_as_hashes);
    RUN(an_empty_book_requests_only_the_description);
    RUN(books_of_every_size_find_their_last_contact);
    RUN(a_container_can_change_its_modes_of_discovery);
    RUN(without_a_private_directory_all_requests_are_refused);
    RUN(work_on_a_directory_that_was_cancelled_is_resumed);
    RUN(a_new_key_takes_over_while_the_old_one_still_answers);
    RUN(there_are_100_epochs_at_most);
    RUN(the_operator_and_the_client_set_the_number_of_prefix_bits);
    RUN(hashed_and_private_discovery_share_the_permits);
    RUN(only_an_account_in_good_standing_is_answered);
    RUN(a_malformed_request_is_refused_and_costs_nothing);
    RUN(the_number_of_threads_does_not_change_the_result);
    RUN(a_client_refuses_malformed_descriptions);
    RUN(a_client_accepts_only_the_right_evaluation);
    RUN(a_client_accepts_only_the_right_buckets);
    RUN(a_changed_or_moved_row_does_not_open);
    RUN(a_client_accepts_any_of_its_published_keys_and_no_other);
    RUN(a_bucket_key_is_published_and_pinned);
    RUN(a_filler_secret_can_be_set_and_read);
    RUN(a_key_is_announced_before_it_answers);
    RUN(a_client_needs_a_container_name_and_valid_keys);
    RUN(a_state_that_is_damaged_or_of_another_container_is_refused);
    RUN(a_client_with_its_state_does_not_pay_for_known_contacts);
END
