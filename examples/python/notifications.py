"""Subscriptions and their notifications. The program makes its store, "notifications.db", in the folder where it runs."""

import kinfolk

with kinfolk.open("notifications.db") as service:
    chat = service.create_container("com.example.chat")
    chat.apply_schema("DEFINE SCHEMA\nRECORD TYPE Message (room STRING QUERYABLE, text STRING);\n")
    ada, grace = service.create_account("Ada"), service.create_account("Grace")
    phone = chat.open_session(ada, device="phone")
    by_grace = chat.open_session(grace).public_database

    # Ada wants to know of new messages in one room, with their texts.
    garden = kinfolk.Subscription.query(
        "Message",
        "room = %@",
        "garden",
        on="created",
        keys=["text"],
        info=kinfolk.NotificationInfo(alert_body="A new message"),
        id="garden",
    )
    phone.public_database.save_subscription(garden)

    by_grace.save(kinfolk.Record("Message", room="garden", text="The roses bloom."))
    by_grace.save(kinfolk.Record("Message", room="kitchen", text="Dinner is ready."))
    for note in phone.notifications(timeout=10):
        print(f"{note.info.alert_body}: {note.fields['text']}")
        phone.acknowledge(note)

    # What happens while the telephone is off, it is told later.
    phone.close()
    by_grace.save(kinfolk.Record("Message", room="garden", text="It rains."))
    phone = chat.open_session(ada, device="phone")
    for note in phone.watch():
        print(f"{note.info.alert_body}: {note.fields['text']}")
        phone.acknowledge(note)
        break
