/*
 * people.h: makes the people of the tests through the API. Include it after harness.h.
 */

#ifndef PEOPLE_H
#define PEOPLE_H

#include "store.h"

#define NOTES "com.example.notes"
#define GAMES "org.example.games"

/* The store of the running test. */
HARNESS_UNUSED static kinfolk_service *open_store(void) {
    kinfolk_service *service = NULL;
    OK(store_open(STORE, NULL, &service));
    REQUIRE(service != NULL);
    return service;
}

HARNESS_UNUSED static kinfolk_container *make_container(const kinfolk_service *service, const char *name) {
    kinfolk_container *container = NULL;
    OK(kinfolk_container_create(service, name, &container));
    return container;
}

/* An account with one verified address, or with none for NULL. */
HARNESS_UNUSED static kinfolk_account *make_person(const kinfolk_service *service, const char *given,
                                                   const char *family, const char *email) {
    kinfolk_account *account = NULL;
    OK(kinfolk_account_create(service, given, family, &account));
    if (email != NULL) OK(kinfolk_account_add_email(account, email, true, NULL));
    return account;
}

HARNESS_UNUSED static kinfolk_session *sign_in(const kinfolk_container *container, const kinfolk_account *account) {
    kinfolk_session *session = NULL;
    OK(kinfolk_session_open(container, account, &session));
    return session;
}

HARNESS_UNUSED static const char *record_id(const kinfolk_session *session) {
    const char *id = NULL;
    OK(kinfolk_session_user_record_id(session, &id));
    REQUIRE(id != NULL);
    return id;
}

HARNESS_UNUSED static void grant(const kinfolk_session *session) {
    OK(kinfolk_session_set_discoverability(session, KINFOLK_DISCOVERABILITY_GRANTED,
                                           "Let people who have your address find you?", "1"));
}

HARNESS_UNUSED static void deny(const kinfolk_session *session) {
    OK(kinfolk_session_set_discoverability(session, KINFOLK_DISCOVERABILITY_DENIED, "", ""));
}

/* An account with one verified address, signed in and discoverable. Most tests need only the session. */
HARNESS_UNUSED static kinfolk_session *make_findable(const kinfolk_service *service, const kinfolk_container *container,
                                                     const char *given, const char *family, const char *email) {
    kinfolk_account *account = make_person(service, given, family, email);
    kinfolk_session *session = sign_in(container, account);
    grant(session);
    kinfolk_account_free(account);
    return session;
}

/* The person's own record. */
HARNESS_UNUSED static kinfolk_record *own_record(const kinfolk_session *session, kinfolk_database_scope database) {
    kinfolk_record *record = NULL;
    OK(kinfolk_record_fetch(session, NULL, database, &record));
    return record;
}

/* A well-formed user record ID that nobody has. */
#define NOBODY "_0123456789abcdef0123456789abcdef"

#endif
