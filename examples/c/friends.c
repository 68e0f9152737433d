/*
  * friends.c: which people in my contact book use this application?
 *
 *     cc friends.c -o friends $(pkg-config --cflags --libs kinfolk)
 *     ./friends friends.db contacts.vcf
 *
  * Three people use an application, and two of them agreed to be found. A fourth person signs in and looks for friends:
 * in a contact book (vCard, CSV, or one address a line), or in the few addresses below. The first argument names the
 * store, which is created if it does not exist; both arguments may be left out.
 */

#include <kinfolk.h>
#include <stdio.h>
#include <stdlib.h>

/* Every call returns a status. If it is not KINFOLK_OK, this function says what went wrong and ends the program. */
static void must(kinfolk_status status, const char *what) {
    if (status == KINFOLK_OK) return;
    fprintf(stderr, "friends: cannot %s: %s (%s)\n", what, kinfolk_error_message(), kinfolk_status_name(status));
    exit(EXIT_FAILURE);
}

/* The application's container: created on the first run, opened on later runs. */
static kinfolk_container *open_container(const kinfolk_service *service, const char *name) {
    kinfolk_container *container;
    kinfolk_status status = kinfolk_container_open(service, name, &container);
    if (status == KINFOLK_UNKNOWN_ITEM) status = kinfolk_container_create(service, name, &container);
    must(status, "open the container");
    return container;
}

/* Signs a person in, and creates the account first if nobody has this address. Here the host vouches for the address. If it
 * cannot, the person proves the address with kinfolk_account_request_verification and a code by mail. */
static kinfolk_session *sign_in(const kinfolk_service *service, const kinfolk_container *container, const char *given_name,
                                const char *family_name, const char *email) {
    kinfolk_account *account;
    kinfolk_session *session;
    kinfolk_status status = kinfolk_account_find_by_email(service, email, &account);
    if (status == KINFOLK_UNKNOWN_ITEM) {
        must(kinfolk_account_create(service, given_name, family_name, &account), "make an account");
        status = kinfolk_account_add_email(account, email, true, NULL);
    }
    must(status, "find the account");
    must(kinfolk_session_open(container, account, &session), "sign in");
    kinfolk_account_free(account); /* the session keeps what it needs */
    return session;
}

/* Opts a person in: nobody can be found before. An application shows the wording, and stores the answer with it. */
static void let_be_found(const kinfolk_session *session) {
    must(kinfolk_session_set_discoverability(session, KINFOLK_DISCOVERABILITY_GRANTED,
                                             "Let people who have your e-mail address find you here?", "2026-01"),
         "store the consent");
}

/* The contact book: a file, or a few addresses. It holds hashes and labels, never an address. */
static kinfolk_contacts *read_contacts(const char *path) {
    kinfolk_contacts *contacts;
    kinfolk_import *report;
    size_t i;
    must(kinfolk_contacts_new(&contacts), "make a contact book");
    if (path != NULL) {
        must(kinfolk_contacts_add_file(contacts, path, &report), "read the contact book");
        printf("%lu contacts in %s\n", (unsigned long)kinfolk_import_added(report), path);
        for (i = 0; i < kinfolk_import_skip_count(report); i++)
            printf("  line %lu was skipped: %s\n", (unsigned long)kinfolk_import_skip_line(report, i),
                   kinfolk_import_skip_reason(report, i));
        kinfolk_import_free(report);
    }
    must(kinfolk_contacts_add_email(contacts, "Ada.Lovelace@example.com", "Ada, from the conference"), "add a contact");
    must(kinfolk_contacts_add_email(contacts, "grace@example.com", "Grace"), "add a contact");
    must(kinfolk_contacts_add_email(contacts, "alan@example.com", "Alan"), "add a contact");
    must(kinfolk_contacts_add_email(contacts, "countess@example.com", "Ada, at home"), "add a contact");
    return contacts;
}

/* Finds the friends, and prints each person once, with all contacts that match. */
static void print_friends(const kinfolk_session *session, const kinfolk_contacts *contacts) {
    kinfolk_identities *friends;
    size_t i, j, known = 0;
    kinfolk_status status = kinfolk_discover_contacts(session, contacts, NULL, 0, &friends);
    if (status == KINFOLK_REQUEST_RATE_LIMITED) {
        fprintf(stderr, "friends: too many questions; ask again in %.0f seconds\n", kinfolk_error_retry_after());
        exit(EXIT_FAILURE);
    }
    must(status, "discover friends");
    for (i = 0; i < kinfolk_identities_count(friends); i++) {
        printf("%s  %s %s", kinfolk_identities_record_id(friends, i), kinfolk_identities_given_name(friends, i),
               kinfolk_identities_family_name(friends, i));
        for (j = 0; j < kinfolk_identities_contact_count(friends, i); j++)
            printf("%s%s", j == 0 ? "  (" : "; ", kinfolk_identities_contact_label(friends, i, j));
        printf(")\n");
        known += kinfolk_identities_contact_count(friends, i);
    }
    printf("%lu friends found; %lu contacts are not here, or do not want to be found\n",
           (unsigned long)kinfolk_identities_count(friends), (unsigned long)(kinfolk_contacts_count(contacts) - known));
    kinfolk_identities_free(friends);
}

int main(int argc, char **argv) {
    const char *store = argc > 1 ? argv[1] : "friends.db";
    const char *book = argc > 2 ? argv[2] : NULL;
    kinfolk_service *service;
    kinfolk_container *notes;
    kinfolk_session *ada, *grace, *alan, *me;
    kinfolk_contacts *contacts;
    const char *my_id;

    must(kinfolk_service_open(store, NULL, &service), "open the store");
    notes = open_container(service, "com.example.notes");

    ada = sign_in(service, notes, "Ada", "Lovelace", "ada.lovelace@example.com");
    grace = sign_in(service, notes, "Grace", "Hopper", "grace@example.com");
    alan = sign_in(service, notes, "Alan", "Turing", "alan@example.com"); /* he did not agree, so nobody can find him */
    let_be_found(ada);
    let_be_found(grace);

    me = sign_in(service, notes, "Charles", "Babbage", "charles@example.com");
    must(kinfolk_session_user_record_id(me, &my_id), "tell my user record ID");
    printf("I am %s\n", my_id);
    contacts = read_contacts(book);
    print_friends(me, contacts);

    kinfolk_contacts_free(contacts);
    kinfolk_session_free(ada);
    kinfolk_session_free(grace);
    kinfolk_session_free(alan);
    kinfolk_session_free(me);
    kinfolk_container_free(notes);
    kinfolk_service_free(service);
    return EXIT_SUCCESS;
}
