import Kinfolk
import KinfolkCrypto
import KinfolkJSON

/// `discovery/hashes`: finds people by the hashes of a contact book, in one request.
///
/// The client makes the hashes, so that the service receives no address. The hash of an address can still be found by guessing the
/// address: `discovery/private` reveals less.
enum HashedDiscovery {
    static func answer(_ call: Call) throws(WebError) -> JSON {
        guard call.caller.mayDiscover else { throw Users.refusal }
        guard case .array(let hashes)? = call.members["hashes"] else { throw .malformed("hashes", "an array") }
        guard hashes.count <= ContactBook.maximumCount else {
            throw WebError(.badRequest, "A request has at most \(ContactBook.maximumCount) hashes.")
        }
        var book = ContactBook()
        for (index, json) in hashes.enumerated() {
            guard case .string(let text) = json, let hash = Base64.bytes(text).flatMap(ContactHash.init(bytes:)) else {
                throw WebError.malformed("[\(index)]", "a hash of 32 bytes in base64").within("hashes")
            }
            try calling { () throws(KinfolkError) in try book.add(hash: hash) }
        }
        let state = try call.members.text("syncState") ?? ""
        guard let syncState = Base64.bytes(state) else { throw .malformed("syncState", "one of this service") }
        let found = try calling { () throws(KinfolkError) in try call.session.discover(book, syncState: syncState) }
        return [
            "users": .array(found.identities.map(json)), "syncState": .string(Base64.text(found.syncState)),
            "permitsLeft": .integer(Int64(try calling { () throws(KinfolkError) in try call.session.permitsLeft() })),
        ]
    }

    private static func json(_ identity: DiscoveredIdentity) -> JSON {
        [
            "userRecordName": .text(identity.userRecordID),
            "nameComponents": [
                "givenName": .string(identity.name.givenName), "familyName": .string(identity.name.familyName),
            ],
            "contacts": .array(identity.contacts.map { .count($0.index) }),
        ]
    }
}
