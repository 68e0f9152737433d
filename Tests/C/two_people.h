/*
 * two_people.h: a store with two people and two containers, with which many tests begin. Include it after people.h.
 */

#ifndef TWO_PEOPLE_H
#define TWO_PEOPLE_H

static kinfolk_service *service;
static kinfolk_container *notes, *games;
static kinfolk_account *ada, *grace;

static void make_two_people(void) {
    service = open_store();
    notes = make_container(service, NOTES);
    games = make_container(service, GAMES);
    ada = make_person(service, "Ada", "Lovelace", "ada@example.com");
    grace = make_person(service, "Grace", "Hopper", "grace@example.com");
}

/* Closes the store, and frees the handles. */
static void free_two_people(void) {
    kinfolk_account_free(ada);
    kinfolk_account_free(grace);
    kinfolk_container_free(notes);
    kinfolk_container_free(games);
    kinfolk_service_free(service);
}

#endif
