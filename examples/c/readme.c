#include <kinfolk.h>
#include <stdio.h>

int main(void) {
    kinfolk_service *service;
    kinfolk_container *notes;
    kinfolk_account *ada;
    kinfolk_session *session;
    kinfolk_contacts *book;
    kinfolk_identities *found;
    if (kinfolk_service_open("kinfolk.db", NULL, &service) != KINFOLK_OK ||
        kinfolk_container_open(service, "com.example.notes", &notes) != KINFOLK_OK ||
        kinfolk_account_find_by_email(service, "ada@example.com", &ada) != KINFOLK_OK ||
        kinfolk_session_open(notes, ada, &session) != KINFOLK_OK ||
        kinfolk_contacts_new(&book) != KINFOLK_OK ||
        kinfolk_contacts_add_email(book, "Grace@Example.ORG", "Grace from chess") != KINFOLK_OK ||
        kinfolk_discover_contacts(session, book, NULL, 0, &found) != KINFOLK_OK)
        return fprintf(stderr, "%s\n", kinfolk_error_message()), 1;
    for (size_t i = 0; i < kinfolk_identities_count(found); i++)
        printf("%s %s %s\n", kinfolk_identities_record_id(found, i), kinfolk_identities_given_name(found, i),
               kinfolk_identities_contact_label(found, i, 0));
    return 0;
}
