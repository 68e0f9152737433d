# Create: a store with its key, an application's container, two people.
import kinfolk

service = kinfolk.open("kinfolk.db")
notes = service.create_container("com.example.notes")
ada = service.create_account("Ada", "Example")
ada.add_email("ada@example.com", verified=True)  # your program vouches for it
grace = service.create_account("Grace", "Sample")
grace.add_email("grace@example.org", verified=True)
ada_here = notes.open_session(ada)
print("Ada is", ada_here.user_record_id)

# Opt in: Grace was shown this text, and said yes.
grace_here = notes.open_session(grace)
wording = "May people who have your e-mail address find you?", "1"
grace_here.set_discoverability(kinfolk.Discoverability.GRANTED, *wording)
print("Grace's discoverability:", grace_here.discoverability.name.lower())

# Discover: which of Ada's contacts are here?
book = kinfolk.ContactBook()
book.add_email("Grace@Example.ORG", "Grace from chess")
book.add_email("somebody@example.com", "Somebody else")
found = ada_here.discover(book)  # keep found.sync_state: with it, asking again is free
for friend in found:
    print("Found", friend.user_record_id, friend.given_name, "as", friend.contacts[0].label)

# Erase: Grace leaves, and nothing of her stays.
erasure = grace.erase()
print("Erased addresses:", erasure.email_count)
print("Found now:", len(ada_here.discover(book, sync_state=found.sync_state)))
service.close()
