/*
 * kinfolk_free overwrites all bytes of an output, and no others, whatever the bytes contain. AddressSanitizer detects a byte
 * too many; the free() of this program detects a byte that is left.
 */

#include "harness.h"
#include "people.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_OWN_FREE 0
#endif
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HAS_OWN_FREE 0
#endif
#ifndef HAS_OWN_FREE
#define HAS_OWN_FREE 1
#endif

/* ---- The content of an output when its memory is freed */

static struct {
    const unsigned char *bytes; /* of the output to be freed */
    size_t length;
    size_t left;                /* how many of its bytes were not zero */
    bool is_freed;
} watched;

#if HAS_OWN_FREE
void __libc_free(void *memory);

/* Replaces the C library's function in the whole process. */
void free(void *memory) {
    const unsigned char *start = memory;
    if (start != NULL && watched.bytes != NULL && start <= watched.bytes && watched.bytes - start <= 64) {
        size_t i;
        for (i = 0; i < watched.length; i++) watched.left += watched.bytes[i] != 0;
        watched.bytes = NULL;
        watched.is_freed = true;
    }
    __libc_free(memory);
}
#endif

static void end_output(void *bytes, size_t length) {
    watched.bytes = bytes;
    watched.length = length;
    watched.left = 0;
    watched.is_freed = !HAS_OWN_FREE;
    kinfolk_free(bytes);
    CHECK(watched.is_freed);
    EQUAL(watched.left, 0);
    watched.bytes = NULL;
}

/* The bytes of an output when it is freed. They may have any values: a hostile server may choose them. */
enum { AS_IT_IS, WITHOUT_A_ZERO, WITH_A_ZERO_AT_THE_START, WITH_A_ZERO_IN_THE_MIDDLE, WAYS };

static void end_in_this_way(uint8_t *bytes, size_t length, int way) {
    REQUIRE(bytes != NULL && length > 1);
    CHECK((uintptr_t)bytes % sizeof(long double) == 0 || sizeof(long double) > 16);
    if (way != AS_IT_IS) memset(bytes, 0xff, length);
    if (way == WITH_A_ZERO_AT_THE_START) bytes[0] = 0;
    if (way == WITH_A_ZERO_IN_THE_MIDDLE) bytes[length / 2] = 0;
    end_output(bytes, length);
}

/* ---- The outputs */

static void texts_are_overwritten_with_their_nul(void) {
    int way;
    for (way = 0; way < WAYS; way++) {
        kinfolk_service *service;
        kinfolk_account *account;
        char *text = NULL, *other = NULL, *recipient = NULL;
        OK(kinfolk_email_canonicalize("Ada@Example.com", &text));
        end_in_this_way((uint8_t *)text, strlen(text) + 1, way);
        service = open_store();
        account = make_person(service, "Ada", "", "ada@example.com");
        OK(kinfolk_account_get_name(account, &text, &other));
        end_in_this_way((uint8_t *)text, strlen(text) + 1, way);
        SAME(other, "");
        end_output(other, 1);
        OK(kinfolk_account_add_email(account, "ada@example.org", false, NULL));
        OK(kinfolk_account_request_verification(account, "ada@example.org", KINFOLK_CODE_ADD_EMAIL, NULL, &recipient,
                                                &text, &other));
        end_in_this_way((uint8_t *)recipient, strlen(recipient) + 1, way);
        end_in_this_way((uint8_t *)text, strlen(text) + 1, way);
        end_in_this_way((uint8_t *)other, strlen(other) + 1, way);
        OK(kinfolk_account_export(account, &text));
        end_in_this_way((uint8_t *)text, strlen(text) + 1, way);
        OK(kinfolk_account_erase(account, NULL));
        kinfolk_account_free(account);
        kinfolk_service_free(service);
    }
}

/* Every request, answer and state of a private discovery. */
static void all_bytes_of_an_output_and_no_others_are_overwritten(void) {
    kinfolk_service *service = open_store();
    kinfolk_container *notes = make_container(service, NOTES);
    kinfolk_session *caller;
    kinfolk_contacts *contacts = NULL;
    int way;
    OK(kinfolk_container_set_directory_modes(notes, KINFOLK_DIRECTORY_PRIVATE, NULL, NULL));
    caller = make_findable(service, notes, "Ada", "Lovelace", "ada@example.com");
    OK(kinfolk_contacts_new(&contacts));
    OK(kinfolk_contacts_add_email(contacts, "grace@example.org", NULL));
    for (way = 0; way < WAYS; way++) {
        kinfolk_private_client *client = NULL;
        uint8_t *request = NULL, *answer = NULL, *state = NULL;
        size_t request_length, answer_length, state_length, exchanges = 0;
        OK(kinfolk_private_client_new(NOTES, NULL, 0, NULL, NULL, NULL, 0, 1, &client));
        OK(kinfolk_private_client_set_contacts(client, contacts));
        while (OK(kinfolk_private_client_next_request(client, &request, &request_length)), request != NULL) {
            OK(kinfolk_session_answer(caller, request, request_length, 1, &answer, &answer_length));
            OK(kinfolk_private_client_receive(client, answer, answer_length));
            OK(kinfolk_private_client_state(client, &state, &state_length));
            end_in_this_way(request, request_length, way);
            end_in_this_way(answer, answer_length, way);
            end_in_this_way(state, state_length, way);
            exchanges++;
        }
        CHECK(exchanges >= 3);
        kinfolk_private_client_free(client);
    }
    kinfolk_contacts_free(contacts);
    kinfolk_session_free(caller);
    kinfolk_container_free(notes);
    kinfolk_service_free(service);
}

BEGIN
    RUN(texts_are_overwritten_with_their_nul);
    RUN(all_bytes_of_an_output_and_no_others_are_overwritten);
END
