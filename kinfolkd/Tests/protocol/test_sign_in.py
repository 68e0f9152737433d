"""Signing in over the pages, and what it allows."""


def test_a_person_signs_in_and_saves_a_record(world):
    world.serve()
    ben = world.sign_in("ben@example.com", "Ben", "Miller")
    create = {"operationType": "create", "record": {"recordType": "Note", "recordName": "groceries", "fields": {"title": {"value": "Milk"}}}}
    saved = world.post("records/modify", {"operations": [create]}, ben, "private")
    print(saved.text)
    assert saved.status_code == 200
    found = world.post("records/lookup", {"records": [{"recordName": "groceries"}]}, ben, "private").json()
    print(found)
    assert found["records"][0]["fields"]["title"] == {"value": "Milk", "type": "STRING"}
    assert world.post("records/lookup", {"records": ["groceries"]}, None, "private").status_code == 421


def test_the_same_address_is_the_same_person(world):
    world.serve()
    users = []
    for _ in range(2):
        person = world.sign_in("ben@example.com")
        users.append(world.post("users/current", None, person).json()["userRecordName"])
    assert users[0] == users[1]
