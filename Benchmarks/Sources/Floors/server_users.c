/* server_users.c: people sign up on a server. Each row is durable when its round trip ends. */

#include "server.h"
#include "stop.h"

#include <string.h>

enum { GROUP = 256 };

typedef struct {
    uint8_t account[FLOOR_ID], record[FLOOR_ID], tag[FLOOR_ID], hash[FLOOR_HASH];
    char address[FLOOR_ADDRESS];
} newcomer;

static void prepare_all(floor_server *server) {
    server_prepare(server, SERVER_INSERT_ACCOUNT,
                   "INSERT INTO accounts (account_id, sealed_name, revision, digest, mac, created_at)"
                   " VALUES ($1, $2, 1, $1, $1, $3)", "bbn");
    server_prepare(server, SERVER_INSERT_EMAIL,
                   "INSERT INTO emails (account_id, tag, number, sealed_address, verified_at, added_at)"
                   " VALUES ($1, $2, 1, $3, $4, $4)", "bbbn");
    server_prepare(server, SERVER_INSERT_VERIFIED, "INSERT INTO verified_emails (tag, account_id) VALUES ($1, $2)", "bb");
    server_prepare(server, SERVER_TOUCH_ACCOUNT, "UPDATE accounts SET revision = revision + 1 WHERE account_id = $1", "b");
    server_prepare(server, SERVER_INSERT_USER,
                   "INSERT INTO users (account_id, container_id, record_id, mac, created_at)"
                   " VALUES ($1, $2, $3, $1, $4)", "bnbn");
}

static void insert_account(floor_server *server, const newcomer *person) {
    uint8_t name[FLOOR_NAME], sealed[SEALED_NAME];
    size_t length = name_bytes(name, "Given", 5, "Family", 6);
    length = seal_account_name(&server->keys, person->account, name, length, sealed);
    server_send(server, SERVER_INSERT_ACCOUNT,
                (server_value[]){ server_bytes(person->account, FLOOR_ID), server_bytes(sealed, length), server_number(NOW) },
                3);
}

static void insert_email(floor_server *server, const newcomer *person) {
    const server_value account = server_bytes(person->account, FLOOR_ID), tag = server_bytes(person->tag, FLOOR_ID);
    uint8_t sealed[SEALED_EMAIL];
    size_t length = seal_email(&server->keys, person->account, person->tag, person->hash, person->address,
                               strlen(person->address), sealed);
    server_send(server, SERVER_INSERT_EMAIL,
                (server_value[]){ account, tag, server_bytes(sealed, length), server_number(NOW) }, 4);
    server_send(server, SERVER_INSERT_VERIFIED, (server_value[]){ tag, account }, 2);
    server_send(server, SERVER_TOUCH_ACCOUNT, &account, 1);
}

static void insert_user(floor_server *server, const newcomer *person) {
    server_send(server, SERVER_INSERT_USER,
                (server_value[]){ server_bytes(person->account, FLOOR_ID), server_number(server->keys.container),
                                  server_bytes(person->record, FLOOR_ID), server_number(NOW) },
                4);
}

/* One round trip, and so one transaction. */
static void insert(floor_server *server, const newcomer *people, size_t count,
                   void (*insert_one)(floor_server *, const newcomer *)) {
    size_t i;
    for (i = 0; i < count; i++) insert_one(server, &people[i]);
    server_depart(server);
    server_finish(server);
}

void floor_server_insert_users(floor_server *server, size_t count, size_t group) {
    newcomer people[GROUP];
    size_t i;
    prepare_all(server);
    for (; count > 0; count -= group) {
        if (group > count) group = count;
        REQUIRE(group <= GROUP);
        for (i = 0; i < group; i++) {
            randombytes_buf(people[i].account, FLOOR_ID);
            randombytes_buf(people[i].record, FLOOR_ID);
        }
        insert(server, people, group, insert_user);
    }
}

void floor_server_sign_up(floor_server *server, size_t first, size_t count, size_t group) {
    newcomer people[GROUP];
    size_t i;
    prepare_all(server);
    for (; count > 0; first += group, count -= group) {
        if (group > count) group = count;
        REQUIRE(group <= GROUP);
        for (i = 0; i < group; i++) {
            newcomer *person = &people[i];
            randombytes_buf(person->account, FLOOR_ID);
            randombytes_buf(person->record, FLOOR_ID);
            floor_person_address(first + i, person->address, sizeof person->address);
            REQUIRE(floor_contact_hash(person->address, strlen(person->address), person->hash));
            make_tag(person->tag, server->keys.email_tags, person->hash, FLOOR_HASH);
        }
        insert(server, people, group, insert_account);
        insert(server, people, group, insert_email);
        insert(server, people, group, insert_user);
    }
}
