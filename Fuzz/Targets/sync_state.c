/*
 * Sync states: with no state is a contact free that this account has not paid for in this container.
 *
 * Ada has no permits left. Her discovery succeeds exactly if every contact of the book is in one of her own genuine states, and
 * that state is complete in the bytes that she passes. There are also states of Grace, of Ada in another container, and of
 * another store. The input has 8 bytes for the book, one bit for each contact, and then steps that compose a state.
 */

#include "store.h"

enum { CONTACTS = 64, STATES = 7, OWN_STATES = 4, LONGEST = 1 << 14 };

static kinfolk_session *ada;

static struct {
    uint8_t *bytes;
    size_t length;
    uint64_t paid; /* by Ada, in her container */
} states[STATES];

static void add_contacts(kinfolk_contacts *book, uint64_t which, uint8_t kind) {
    uint8_t hash[KINFOLK_CONTACT_HASH_LENGTH] = { 0 };
    size_t i;
    for (i = 0; i < CONTACTS; i++) {
        if ((which >> i & 1) == 0) continue;
        hash[0] = (uint8_t)(i * 37);
        hash[15] = (uint8_t)i;
        hash[31] = kind;
        hash[1] = kind;
        OK(kinfolk_contacts_add_hash(book, hash, sizeof hash, NULL));
    }
}

/* Pays for contacts, with one of her states, and keeps the new state. */
static void pay(size_t number, const kinfolk_session *session, uint64_t which, const uint8_t *state, size_t length) {
    kinfolk_contacts *book = NULL;
    kinfolk_identities *found = NULL;
    const uint8_t *bytes = NULL;
    OK(kinfolk_contacts_new(&book));
    add_contacts(book, which, 0);
    OK(kinfolk_discover_contacts(session, book, state, length, &found));
    OK(kinfolk_identities_sync_state(found, &bytes, &states[number].length));
    states[number].bytes = malloc(states[number].length);
    if (states[number].bytes == NULL) abort();
    memcpy(states[number].bytes, bytes, states[number].length);
    states[number].paid = number < OWN_STATES ? which : 0;
    kinfolk_identities_free(found);
    kinfolk_contacts_free(book);
}

static kinfolk_session *open_session(const kinfolk_service *service, const char *name, const char *email) {
    kinfolk_container *container = NULL;
    kinfolk_account *account = NULL;
    kinfolk_session *session = NULL;
    if (kinfolk_container_open(service, name, &container) != KINFOLK_OK) {
        OK(kinfolk_container_create(service, name, &container));
        OK(kinfolk_container_set_permits(container, CONTACTS, 0, CONTACTS));
    }
    if (kinfolk_account_find_by_email(service, email, &account) != KINFOLK_OK)
        account = store_person(service, "Ada", email);
    OK(kinfolk_session_open(container, account, &session));
    kinfolk_account_free(account);
    kinfolk_container_free(container);
    return session;
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    static kinfolk_service *service; /* open while its session is used */
    kinfolk_service *elsewhere = NULL;
    kinfolk_session *other;
    kinfolk_contacts *rest = NULL;
    kinfolk_identities *found = NULL;
    (void)argc, (void)argv;
    service = store_make();
    OK(kinfolk_service_open(store_path("other.db"), NULL, &elsewhere));
    ada = open_session(service, NOTES, "ada@example.com");
    pay(0, ada, 0x000000000000ffff, NULL, 0);
    pay(1, ada, 0x00000000ffff0000, NULL, 0);
    pay(2, ada, 0x00000000ffffffff, NULL, 0); /* 32 again: the permits are 64 */
    pay(3, ada, 0x0000000000000000, NULL, 0);
    other = open_session(service, NOTES, "grace@example.com");
    pay(4, other, UINT64_MAX, NULL, 0);
    kinfolk_session_free(other);
    other = open_session(service, "com.example.games", "ada@example.com");
    pay(5, other, UINT64_MAX, NULL, 0);
    kinfolk_session_free(other);
    other = open_session(elsewhere, NOTES, "ada@example.com");
    pay(6, other, UINT64_MAX, NULL, 0);
    kinfolk_session_free(other);
    kinfolk_service_free(elsewhere);
    unlink(store_path("other.db"));
    unlink(store_path("other.key"));
    OK(kinfolk_contacts_new(&rest)); /* she has nothing left */
    add_contacts(rest, 1, 1);
    HOLDS(kinfolk_discover_contacts(ada, rest, NULL, 0, &found) == KINFOLK_REQUEST_RATE_LIMITED);
    kinfolk_contacts_free(rest);
    return 0;
}

/* libFuzzer traces memcmp to find new inputs. Here that is useless, because no input can contain the random bytes of a state. */
static bool same(const uint8_t *one, const uint8_t *other, size_t size) {
    while (size > 0 && one[size - 1] == other[size - 1]) size--;
    return size == 0;
}

static bool holds_state(const uint8_t *bytes, size_t length, size_t number) {
    size_t at, size = states[number].length;
    for (at = 0; at + size <= length; at++)
        if (same(bytes + at, states[number].bytes, size)) return true;
    return false;
}

/* Composes a state. Returns whether it consists of complete genuine states only. */
static bool build(input *in, uint8_t *bytes, size_t *length) {
    bool is_whole = true;
    const uint8_t *raw;
    size_t number, from, size;
    *length = 0;
    while (in->left > 0 && *length < LONGEST - 8192) {
        uint8_t step = take_byte(in) % 8;
        if (step < 4) { /* a genuine state */
            number = take_byte(in) % STATES;
            memcpy(bytes + *length, states[number].bytes, states[number].length);
            *length += states[number].length;
            continue;
        }
        if (step == 4) { /* anything */
            raw = take_bytes(in, &size);
            memcpy(bytes + *length, raw, size);
            *length += size;
            is_whole = is_whole && size == 0;
        } else if (step == 5 && *length > 0) { /* one byte is another */
            uint8_t change;
            from = (size_t)take_number(in, 2) % *length;
            change = take_byte(in);
            bytes[from] ^= change;
            is_whole = is_whole && change == 0;
        } else if (step == 6) { /* cut short */
            size = (size_t)take_number(in, 2);
            if (size > *length) size = *length;
            *length -= size;
            is_whole = is_whole && size == 0;
        } else if (step == 7) { /* a part of a genuine state */
            number = take_byte(in) % STATES;
            from = (size_t)take_number(in, 2) % states[number].length;
            size = (size_t)take_number(in, 2) % (states[number].length - from + 1);
            memcpy(bytes + *length, states[number].bytes + from, size);
            *length += size;
            is_whole = is_whole && size == 0;
        }
    }
    return is_whole;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static uint8_t bytes[LONGEST];
    input in = { data, size };
    uint64_t wanted = take_number(&in, 8), paid = 0;
    size_t length, i;
    bool is_whole = build(&in, bytes, &length);
    kinfolk_contacts *book = NULL;
    kinfolk_identities *found = NULL, *again = NULL;
    kinfolk_status status;
    for (i = 0; i < OWN_STATES; i++)
        if (holds_state(bytes, length, i)) paid |= states[i].paid;
    OK(kinfolk_contacts_new(&book));
    add_contacts(book, wanted, 0);
    status = kinfolk_discover_contacts(ada, book, bytes, length, &found);
    if (status == KINFOLK_OK) {
        const uint8_t *next = NULL;
        size_t next_length = 0;
        HOLDS((wanted & ~paid) == 0);
        /* The new state makes the same contacts free. */
        OK(kinfolk_identities_sync_state(found, &next, &next_length));
        HOLDS(next != NULL && next_length > 0);
        OK(kinfolk_discover_contacts(ada, book, next, next_length, &again));
        kinfolk_identities_free(again);
        kinfolk_identities_free(found);
    } else {
        FAILED(status, KINFOLK_REQUEST_RATE_LIMITED, KINFOLK_LIMIT_EXCEEDED);
        HOLDS(found == NULL);
        HOLDS(!is_whole || (wanted & ~paid) != 0);
        HOLDS(status != KINFOLK_REQUEST_RATE_LIMITED || kinfolk_error_retry_after() > 0);
    }
    kinfolk_contacts_free(book);
    return 0;
}
