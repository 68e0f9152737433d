/* Create: a store with its key, an application's container, two people. */
#include <kinfolk.h>
#include <stdio.h>
#include <stdlib.h>

static void must(kinfolk_status status) {
    if (status == KINFOLK_OK) return;
    fprintf(stderr, "%s: %s\n", kinfolk_status_name(status), kinfolk_error_message());
    exit(EXIT_FAILURE);
}

int main(void) {
    kinfolk_service *service;
    kinfolk_container *notes;
    kinfolk_account *ada, *grace;
    kinfolk_session *ada_here, *grace_here;
    kinfolk_discoverability discoverability;
    kinfolk_contacts *book;
    kinfolk_identities *found, *found_now;
    kinfolk_erasure *erasure;
    const uint8_t *sync_state;
    const char *id;
    size_t i, length;

    must(kinfolk_service_open("kinfolk.db", NULL, &service));
    must(kinfolk_container_create(service, "com.example.notes", &notes));
    must(kinfolk_account_create(service, "Ada", "Example", &ada));
    must(kinfolk_account_add_email(ada, "ada@example.com", true, NULL)); /* your program vouches for it */
    must(kinfolk_account_create(service, "Grace", "Sample", &grace));
    must(kinfolk_account_add_email(grace, "grace@example.org", true, NULL));
    must(kinfolk_session_open(notes, ada, &ada_here));
    must(kinfolk_session_user_record_id(ada_here, &id));
    printf("Ada is %s\n", id);

    /* Opt in: Grace was shown this text, and said yes. */
    must(kinfolk_session_open(notes, grace, &grace_here));
    must(kinfolk_session_set_discoverability(grace_here, KINFOLK_DISCOVERABILITY_GRANTED,
                                             "May people who have your e-mail address find you?", "1"));
    must(kinfolk_session_discoverability(grace_here, &discoverability));
    printf("Grace's discoverability: %s\n",
           discoverability == KINFOLK_DISCOVERABILITY_GRANTED ? "granted" : "not granted");

    /* Discover: which of Ada's contacts are here? */
    must(kinfolk_contacts_new(&book));
    must(kinfolk_contacts_add_email(book, "Grace@Example.ORG", "Grace from chess"));
    must(kinfolk_contacts_add_email(book, "somebody@example.com", "Somebody else"));
    must(kinfolk_discover_contacts(ada_here, book, NULL, 0, &found));
    for (i = 0; i < kinfolk_identities_count(found); i++)
        printf("Found %s %s as %s\n", kinfolk_identities_record_id(found, i),
               kinfolk_identities_given_name(found, i), kinfolk_identities_contact_label(found, i, 0));
    must(kinfolk_identities_sync_state(found, &sync_state, &length)); /* keep it: with it, asking again is free */

    /* Erase: Grace leaves, and nothing of her stays. */
    must(kinfolk_account_erase(grace, &erasure));
    printf("Erased addresses: %lu\n", (unsigned long)kinfolk_erasure_email_count(erasure));
    must(kinfolk_discover_contacts(ada_here, book, sync_state, length, &found_now));
    printf("Found now: %lu\n", (unsigned long)kinfolk_identities_count(found_now));

    kinfolk_erasure_free(erasure); /* handles may be freed in any order */
    kinfolk_identities_free(found_now);
    kinfolk_identities_free(found);
    kinfolk_contacts_free(book);
    kinfolk_session_free(grace_here);
    kinfolk_session_free(ada_here);
    kinfolk_account_free(grace);
    kinfolk_account_free(ada);
    kinfolk_container_free(notes);
    kinfolk_service_free(service);
    return EXIT_SUCCESS;
}
