/*
 * hands.h: a writer's handles, and how it takes a step of its plan through the C API.
 */

#ifndef HANDS_H
#define HANDS_H

#include "world.h"

struct hands {
    kinfolk_service *service;
    kinfolk_container *places[PLACES];
    kinfolk_account *accounts[SLOTS];
    kinfolk_session *sessions[SLOTS][PLACES];
    struct ids *ids;
    bool may_not_write; /* the store is locked, so the inspection must not spend permits */
};

/* Opens the store and both containers; makes what is missing. `wait` as in kinfolk_open_options. */
kinfolk_status hands_open(struct hands *hands, const char *store, double wait, struct ids *ids);
/* A container, made if there is none, with permits that do not accrue during a run. */
kinfolk_status open_place(const kinfolk_service *service, int place, kinfolk_container **container);
/* Handles that share another writer's service. */
void hands_share(struct hands *hands, const struct hands *other, struct ids *ids);
/* Frees handles of people. */
void hands_empty(struct hands *hands);
/* Frees all, and checks that the store is closed then. A program with a shim opens one store at a time. */
void hands_close(struct hands *hands);

/* Takes the step that leads to `after`. If it fails, the failed call is the one that changes something, or a read before it. */
kinfolk_status hands_take(struct hands *hands, const struct world *after, const struct step *step);

/* Asks about `count` contacts that nobody asked about before. */
kinfolk_status ask_about_strangers(const kinfolk_session *session, int writer, long value, int count);

#endif
