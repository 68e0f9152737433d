/* Subscriptions and their notifications. The program makes its store, "notifications.db", in the folder where it runs. */
#include <kinfolk.h>
#include <stdio.h>
#include <stdlib.h>

static void must(kinfolk_status status) {
    if (status == KINFOLK_OK) return;
    fprintf(stderr, "%s: %s\n", kinfolk_status_name(status), kinfolk_error_message());
    exit(EXIT_FAILURE);
}

static kinfolk_account *make_person(const kinfolk_service *service, const char *name) {
    kinfolk_account *account;
    must(kinfolk_account_create(service, name, "", &account));
    return account;
}

static void write_message(const kinfolk_database *database, const char *room, const char *text) {
    kinfolk_record *message;
    must(kinfolk_record_new("Message", NULL, NULL, &message));
    must(kinfolk_record_set_string(message, "room", room));
    must(kinfolk_record_set_string(message, "text", text));
    must(kinfolk_database_save(database, message, KINFOLK_SAVE_IF_UNCHANGED));
    kinfolk_record_free(message);
}

/* Ada wants to know of new messages in one room, with their texts. */
static void subscribe(const kinfolk_database *database) {
    static const char *const keys[] = { "text" };
    kinfolk_query *query;
    kinfolk_subscription *garden;
    must(kinfolk_query_new("Message", "room = 'garden'", &query));
    must(kinfolk_query_keys(query, keys, 1));
    must(kinfolk_subscription_new_query(query, KINFOLK_FIRES_ON_RECORD_CREATION, "garden", &garden));
    must(kinfolk_subscription_set_text(garden, KINFOLK_INFO_ALERT_BODY, "A new message"));
    must(kinfolk_subscription_save(database, garden));
    kinfolk_subscription_free(garden);
    kinfolk_query_free(query);
}

/* Prints a notification. What its function is called with, is valid until the function returns. */
static bool show(const kinfolk_notification *notification, void *context) {
    kinfolk_value *text;
    const char *const *texts;
    size_t count;
    (void)context;
    must(kinfolk_notification_get_value(notification, "text", &text));
    must(kinfolk_value_get_strings(text, &texts, NULL, &count));
    printf("%s: %s\n", kinfolk_notification_text(notification, KINFOLK_INFO_ALERT_BODY), texts[0]);
    kinfolk_value_free(text);
    return true; /* handled: it does not come again */
}

/* Shows the notifications that wait or come within ten seconds, and acknowledges them. */
static void receive(const kinfolk_session *session, size_t wanted) {
    while (wanted > 0) {
        kinfolk_notifications *notifications;
        size_t i;
        must(kinfolk_notifications_fetch(session, 0, 10.0, &notifications));
        for (i = 0; i < kinfolk_notifications_count(notifications); i++, wanted--) {
            kinfolk_notification *notification;
            const uint8_t *id;
            size_t length;
            must(kinfolk_notifications_notification(notifications, i, &notification));
            show(notification, NULL);
            must(kinfolk_notification_id(notification, &id, &length));
            must(kinfolk_notifications_acknowledge(session, id, length));
            kinfolk_notification_free(notification);
        }
        kinfolk_notifications_free(notifications);
    }
}

int main(void) {
    kinfolk_service *service;
    kinfolk_container *chat;
    kinfolk_account *ada, *grace;
    kinfolk_session *phone, *graces;
    kinfolk_database *by_ada, *by_grace;

    must(kinfolk_service_open("notifications.db", NULL, &service));
    must(kinfolk_container_create(service, "com.example.chat", &chat));
    must(kinfolk_schema_add_field(chat, "Message", "room", KINFOLK_STRING, KINFOLK_INDEX_STANDARD));
    must(kinfolk_schema_add_field(chat, "Message", "text", KINFOLK_STRING, KINFOLK_INDEX_STANDARD));
    ada = make_person(service, "Ada");
    grace = make_person(service, "Grace");
    must(kinfolk_session_open_on_device(chat, ada, "phone", &phone));
    must(kinfolk_session_open(chat, grace, &graces));
    must(kinfolk_session_database(phone, KINFOLK_DATABASE_PUBLIC, &by_ada));
    must(kinfolk_session_database(graces, KINFOLK_DATABASE_PUBLIC, &by_grace));

    subscribe(by_ada);
    write_message(by_grace, "garden", "The roses bloom.");
    write_message(by_grace, "kitchen", "Dinner is ready.");
    receive(phone, 1);

    /* What happens while the telephone is off, it is told later. */
    kinfolk_database_free(by_ada);
    kinfolk_session_free(phone);
    write_message(by_grace, "garden", "It rains.");
    must(kinfolk_session_open_on_device(chat, ada, "phone", &phone));
    receive(phone, 1);

    kinfolk_session_free(phone);
    kinfolk_database_free(by_grace);
    kinfolk_session_free(graces);
    kinfolk_account_free(ada);
    kinfolk_account_free(grace);
    kinfolk_container_free(chat);
    kinfolk_service_free(service);
    return 0;
}
