import kinfolk

with kinfolk.open("kinfolk.db") as service:
    notes = service.open_container("com.example.notes")
    ada = service.find_account("ada@example.com")
    book = kinfolk.ContactBook()  # or kinfolk.ContactBook.from_file("contacts.vcf")
    book.add_email("Grace@Example.ORG", "Grace from chess")
    for person in notes.open_session(ada).discover(book):
        print(person.user_record_id, person.given_name, person.contacts[0].label)
