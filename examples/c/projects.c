/* References, grants and roles, step by step. The program makes its store, "projects.db", in the folder where it runs. */
#include <kinfolk.h>
#include <stdio.h>
#include <stdlib.h>

static void must(kinfolk_status status) {
    if (status == KINFOLK_OK) return;
    fprintf(stderr, "%s: %s\n", kinfolk_status_name(status), kinfolk_error_message());
    exit(EXIT_FAILURE);
}

/* Saves a record with one reference, or without one if `field` is NULL. Its parent may be NULL. */
static kinfolk_status save(const kinfolk_database *database, const char *type, const char *name, const char *field,
                           const char *target, kinfolk_reference_action action, const char *parent) {
    kinfolk_record *record;
    kinfolk_status status;
    must(kinfolk_record_new(type, name, NULL, &record));
    if (field != NULL) must(kinfolk_record_set_reference(record, field, target, NULL, action));
    must(kinfolk_record_set_parent(record, parent));
    status = kinfolk_database_save(database, record, KINFOLK_SAVE_IF_UNCHANGED);
    kinfolk_record_free(record);
    return status;
}

/* A tree: each record refers to the one above it, and is deleted with it. */
static void save_tree(const kinfolk_database *mine) {
    must(save(mine, "Project", "house", NULL, NULL, KINFOLK_REFERENCE_NONE, NULL));
    must(save(mine, "Task", "roof", "partOf", "house", KINFOLK_REFERENCE_DELETE_SELF, "house"));
    must(save(mine, "Task", "paint", "partOf", "house", KINFOLK_REFERENCE_DELETE_SELF, "house"));
    must(save(mine, "Task", "brushes", "partOf", "paint", KINFOLK_REFERENCE_DELETE_SELF, NULL));
    must(save(mine, "Invoice", "invoice", "task", "roof", KINFOLK_REFERENCE_VALIDATE, NULL)); /* needs its task */
    must(save(mine, "Reminder", "reminder", "about", "paint", KINFOLK_REFERENCE_NONE, NULL)); /* may outlive it */
}

/* Prints all records that refer to a record, page by page. */
static void print_back_references(const kinfolk_database *database, const char *target) {
    static const char *const kinds[] = { "parent", "deleteSelf", "validate" };
    kinfolk_back_references *page = NULL, *next;
    size_t i, count;
    do {
        must(kinfolk_database_back_references(database, target, NULL, page, 400, &next));
        kinfolk_back_references_free(page);
        page = next;
        count = kinfolk_back_references_count(page);
        for (i = 0; i < count; i++)
            printf("%s refers to %s: %s\n", kinfolk_back_references_name(page, i), target,
                   kinds[kinfolk_back_references_kind(page, i)]);
    } while (count > 0);
    kinfolk_back_references_free(page);
}

/* Deletes a record and prints everything that was deleted with it. */
static void delete_record(const kinfolk_database *database, const char *name) {
    kinfolk_deleted *deleted;
    size_t i;
    kinfolk_status status = kinfolk_database_delete(database, name, NULL, NULL, &deleted);
    if (status == KINFOLK_REFERENCE_VIOLATION) {
        printf("%s stays: %s\n", name, kinfolk_error_message());
        return;
    }
    must(status);
    printf("Deleted: ");
    for (i = 0; i < kinfolk_deleted_count(deleted); i++)
        printf("%s%s", i == 0 ? "" : ", ", kinfolk_deleted_name(deleted, i));
    printf("\n");
    kinfolk_deleted_free(deleted);
}

/* The reminder still names the record, which is gone. */
static void follow_reminder(const kinfolk_database *mine) {
    kinfolk_record *reminder, *found;
    const char *target;
    must(kinfolk_database_fetch(mine, "reminder", NULL, &reminder));
    must(kinfolk_record_get_reference(reminder, "about", &target, NULL, NULL));
    if (kinfolk_database_fetch(mine, target, NULL, &found) == KINFOLK_OK)
        kinfolk_record_free(found);
    else
        printf("%s: %s\n", target, kinfolk_error_message());
    kinfolk_record_free(reminder);
}

static const char news_type[] = "DEFINE SCHEMA\n"
                                "CREATE ROLE Editor;\n"
                                "RECORD TYPE News (\n"
                                "    title STRING,\n"
                                "    GRANT READ TO \"_world\",\n"
                                "    GRANT READ, CREATE, WRITE TO Editor\n"
                                ");\n";

static void publish(const kinfolk_database *database, const char *title) {
    kinfolk_record *news;
    kinfolk_status status;
    must(kinfolk_record_new("News", "today", NULL, &news));
    must(kinfolk_record_set_string(news, "title", title));
    status = kinfolk_database_save(database, news, KINFOLK_SAVE_ALL_KEYS);
    if (status == KINFOLK_PERMISSION_FAILURE) {
        printf("Grace did not save: %s\n", kinfolk_error_message());
    } else {
        must(status);
        printf("Grace saved: %s\n", title);
    }
    kinfolk_record_free(news);
}

static void print_roles(const kinfolk_container *container, const kinfolk_account *grace) {
    kinfolk_roles *roles;
    size_t i;
    must(kinfolk_container_roles(container, grace, &roles));
    printf("Grace's roles:");
    for (i = 0; i < kinfolk_roles_count(roles); i++) printf("%s %s", i == 0 ? "" : ",", kinfolk_roles_name(roles, i));
    printf("\n");
    kinfolk_roles_free(roles);
}

int main(void) {
    kinfolk_service *service;
    kinfolk_container *production, *projects;
    kinfolk_account *ada, *grace;
    kinfolk_session *ada_here, *grace_here, *anybody;
    kinfolk_database *mine, *graces, *everybodys;
    kinfolk_record *news;
    const char *title;

    must(kinfolk_service_open("projects.db", NULL, &service));
    must(kinfolk_container_create(service, "com.example.projects", &production));
    must(kinfolk_container_open_environment(service, "com.example.projects", KINFOLK_ENVIRONMENT_DEVELOPMENT,
                                            &projects));
    must(kinfolk_account_create(service, "Ada", "Example", &ada));
    must(kinfolk_account_create(service, "Grace", "Sample", &grace));
    must(kinfolk_session_open(projects, ada, &ada_here));
    must(kinfolk_session_database(ada_here, KINFOLK_DATABASE_PRIVATE, &mine));

    /* 1. A tree, and what refers to its records. */
    save_tree(mine);
    print_back_references(mine, "house");
    print_back_references(mine, "roof");

    /* 2. The house cannot be deleted while the invoice needs the roof. */
    delete_record(mine, "house");
    delete_record(mine, "invoice");
    delete_record(mine, "house");
    follow_reminder(mine);
    if (save(mine, "Task", "garden", "partOf", "house", KINFOLK_REFERENCE_DELETE_SELF, NULL) != KINFOLK_OK)
        printf("garden: %s\n", kinfolk_error_message());

    /* 3. Grants: everybody reads news, editors write it. */
    must(kinfolk_schema_apply(projects, news_type, false, NULL));
    must(kinfolk_session_open(projects, grace, &grace_here));
    must(kinfolk_session_database(grace_here, KINFOLK_DATABASE_PUBLIC, &graces));
    publish(graces, "Not yet");
    must(kinfolk_role_grant(projects, "Editor", grace));
    print_roles(projects, grace);
    publish(graces, "The roof is done");
    must(kinfolk_role_revoke(projects, "Editor", grace));
    publish(graces, "Too late");
    must(kinfolk_session_open_anonymous(projects, &anybody));
    must(kinfolk_session_database(anybody, KINFOLK_DATABASE_PUBLIC, &everybodys));
    must(kinfolk_database_fetch(everybodys, "today", NULL, &news));
    must(kinfolk_record_get_string(news, "title", &title));
    printf("Everybody reads: %s\n", title);

    kinfolk_record_free(news); /* handles may be freed in any order */
    kinfolk_database_free(everybodys);
    kinfolk_database_free(graces);
    kinfolk_database_free(mine);
    kinfolk_session_free(anybody);
    kinfolk_session_free(grace_here);
    kinfolk_session_free(ada_here);
    kinfolk_account_free(grace);
    kinfolk_account_free(ada);
    kinfolk_container_free(projects);
    kinfolk_container_free(production);
    kinfolk_service_free(service);
    return EXIT_SUCCESS;
}
