"""The manual's chapters about users: users/caller, users/current, users/discover, users/lookup/email, users/lookup/id and contacts."""

from __future__ import annotations

import cloudkit_manual as manual
import pytest
from comparison import assert_as_manual, difference
from small_client import ServiceError

MEI = {"givenName": "Mei", "familyName": "Chen"}


@pytest.fixture(scope="module")
def mei_id(mei) -> str:
    return mei.get("public/users/current")["userRecordName"]


def test_the_caller(mei):
    answer = mei.get("public/users/caller")
    assert_as_manual(answer, {"users": [manual.USER_IDENTITY]}, "own user")
    assert answer["users"][0]["nameComponents"] == MEI
    # Clients read the user at the top, too.
    assert answer["users"] == [{key: value for key, value in answer.items() if key != "users"}]


def test_the_current_user(mei, user):
    answer = mei.get("public/users/current")
    assert_as_manual(answer, manual.USER, "own user")
    assert (answer["firstName"], answer["lastName"]) == ("Mei", "Chen")


def test_a_user_whom_nobody_finds_has_no_names(user):
    answer = user.get("public/users/current")
    assert_as_manual(answer, {"userRecordName": manual.TEXT}, "own user")


def test_users_below_the_private_database(mei, gkumar):
    difference("users in the private database")
    for subpath in ("users/caller", "users/current"):
        assert mei.get(f"private/{subpath}") == mei.get(f"public/{subpath}")
    wanted = {"lookupInfos": [{"emailAddress": "mei.chen@example.com"}]}
    assert gkumar.post("private/users/discover", wanted) == gkumar.post("public/users/discover", wanted)


def test_people_are_discovered_by_address_and_by_name(gkumar, mei_id):
    infos = [{"emailAddress": "mei.chen@example.com"}, {"userRecordName": mei_id}]
    answer = gkumar.post("public/users/discover", {"lookupInfos": infos})
    assert_as_manual(answer, {"users": [manual.USER_IDENTITY, manual.USER_IDENTITY]})
    assert answer["users"] == [{"lookupInfo": info, "userRecordName": mei_id, "nameComponents": MEI} for info in infos]


def test_people_who_cannot_be_found(gkumar, user):
    difference("phone numbers")
    difference("only consenting people")
    hidden = user.get("public/users/current")["userRecordName"]
    nobody = "_" + "0" * 32
    infos = [{"emailAddress": "nobody@example.com"}, {"userRecordName": hidden}, {"userRecordName": nobody}, {"phoneNumber": "+4930123456"}]
    infos += [{"emailAddress": "no address"}, {"userRecordName": "no ID"}]
    answer = gkumar.post("public/users/discover", {"lookupInfos": infos})
    assert_as_manual(answer, {"users": [manual.USER_IDENTITY] * len(infos)}, "people who are not found")
    assert answer["users"] == [{"lookupInfo": info} for info in infos]


def test_people_are_looked_up_by_email(gkumar, mei_id):
    addresses = ["mei.chen@example.com", "nobody@example.com"]
    answer = gkumar.post("public/users/lookup/email", {"users": [{"emailAddress": address} for address in addresses]})
    assert_as_manual(answer, {"users": [manual.USER_BY_EMAIL] * 2}, "people who are not found")
    found = {"userRecordName": mei_id, "firstName": "Mei", "lastName": "Chen", "emailAddress": addresses[0]}
    assert answer["users"] == [found, {"emailAddress": addresses[1]}]


def test_people_are_looked_up_by_id(gkumar, mei_id):
    nobody = "_" + "0" * 32
    answer = gkumar.post("public/users/lookup/id", {"users": [{"userRecordName": mei_id}, {"userRecordName": nobody}]})
    # A person who is not found has the ID that was asked for.
    assert_as_manual(answer, {"users": [manual.USER] * 2}, "people who are not found")
    assert answer["users"] == [{"userRecordName": mei_id, "firstName": "Mei", "lastName": "Chen"}, {"userRecordName": nobody}]


def test_the_service_has_no_address_books(mei):
    difference("address books")
    for call in (lambda: mei.get("public/users/discover"), lambda: mei.post("public/users/lookup/contacts", {})):
        with pytest.raises(ServiceError) as caught:
            call()
        assert caught.value.status == 404
        assert_as_manual(caught.value.answer, manual.error("NOT_FOUND"))


@pytest.mark.parametrize("subpath", ["users/discover", "users/lookup/email", "users/lookup/id"])
def test_malformed_questions_are_refused(mei, subpath):
    key = "lookupInfos" if subpath == "users/discover" else "users"
    for body in ({}, {key: [{}]}, {key: [{"emailAddress": 1}]}, {key: ["mei.chen@example.com"]}):
        with pytest.raises(ServiceError) as caught:
            mei.post(f"public/{subpath}", body)
        assert_as_manual(caught.value.answer, manual.error("BAD_REQUEST"))
    assert mei.post(f"public/{subpath}", {key: []}) == {"users": []}


def test_without_a_user_nobody_is_found(application):
    for subpath in ("users/discover", "users/lookup/email", "users/lookup/id"):
        with pytest.raises(ServiceError) as caught:
            application.post(f"public/{subpath}", {})
        assert_as_manual(caught.value.answer, manual.AUTHENTICATION_REQUIRED)


def test_an_application_may_not_be_allowed_to_discover(manual_world):
    person = manual_world.signed_in(manual_world.application_without_discovery())
    with pytest.raises(ServiceError) as caught:
        person.post("public/users/discover", {"lookupInfos": [{"emailAddress": "mei.chen@example.com"}]})
    assert caught.value.status == 403
    assert_as_manual(caught.value.answer, manual.error("ACCESS_DENIED"))
    assert person.get("public/users/current")["userRecordName"]


def test_without_permits_the_answer_is_throttled(manual_world):
    """Addresses cost permits, also if nobody has them. IDs cost none."""
    person = manual_world.user()
    own = person.get("public/users/current")["userRecordName"]
    options = ["--person", own, "--left", "2", "--environment", manual.ENVIRONMENT]
    manual_world.kinfolk("container", "permits", manual.CONTAINER, *options)
    infos = [{"emailAddress": f"nobody{number}@example.com"} for number in range(3)]
    answer = person.post("public/users/discover", {"lookupInfos": infos})["users"]
    # The caller has paid for the first two.
    assert answer[:2] == [{"lookupInfo": info} for info in infos[:2]]
    assert (answer[2]["lookupInfo"], answer[2]["serverErrorCode"]) == (infos[2], "THROTTLED")
    with pytest.raises(ServiceError) as caught:
        person.post("public/users/discover", {"lookupInfos": infos[2:]})
    assert caught.value.status == 429
    assert_as_manual(caught.value.answer, manual.error("THROTTLED"))
    assert int(person.last.headers["retry-after"]) == caught.value.answer["retryAfter"] > 0
    assert person.post("public/users/discover", {"lookupInfos": [{"userRecordName": own}]}) == {"users": [{"lookupInfo": {"userRecordName": own}}]}
