import Foundation
import Kinfolk
import KinfolkModel
import ServiceSupport
import TestSupport
import Testing

@Suite struct CodableTests {
    private let id = "_0123456789abcdef0123456789abcdef"

    private func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    private func decode<Value: Decodable>(_ json: String, as _: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(Value.self, from: Data(json.utf8))
    }

    private func comesBack<Value: Codable & Equatable>(_ value: Value, as text: String) throws {
        #expect(try json(value) == text)
        #expect(try decode(text) == value)
    }

    @Test func eachValueHasOneFormAndRoundTrips() throws {
        let hash = try EmailAddress("ada@example.com").contactHash
        try comesBack(UserRecordID(id), as: "\"\(id)\"")
        try comesBack(AccountID(String(id.dropFirst())), as: "\"\(id.dropFirst())\"")
        try comesBack(ClaimID(String(id.dropFirst())), as: "\"\(id.dropFirst())\"")
        try comesBack(hash, as: "\"\(hash.hex)\"")
        try comesBack(EmailAddress("Ada@Example.com"), as: "\"ada@example.com\"")
        try comesBack(Discoverability.granted, as: "\"granted\"")
        try comesBack(AccountStatus.noAccount, as: "\"noAccount\"")
        try comesBack(Timestamp(microseconds: -5), as: "-5")
        try comesBack(PersonName(givenName: "Ada"), as: #"{"familyName":"","givenName":"Ada"}"#)
        try comesBack(Location(latitude: 1.5, longitude: -2), as: #"{"latitude":1.5,"longitude":-2}"#)
        try comesBack(ConsentWording("May they?", version: "1"), as: #"{"text":"May they?","version":"1"}"#)
        #expect(try decode("{}") == PersonName())
    }

    @Test func fieldsOfAllTypesRoundTrip() throws {
        let location = try Location(latitude: 1.5, longitude: -2)
        let record = try UserRecordID(id)
        let asset = Asset(id: .make(), zone: "Notes", size: 3, sha256: [UInt8](repeating: 7, count: 32))
        let values: [FieldValue] = [
            .string("a"), .int64(.min), .double(0.1), .boolean(true), .bytes([0, 255]),
            .date(Timestamp(microseconds: 1)),
            .location(location), .reference(record), .stringList(["a", "b"]), .int64List([1, .max]), .doubleList([1.5]),
            .booleanList([true, false]), .bytesList([[], [1]]), .dateList([Timestamp(microseconds: -1)]),
            .locationList([location]), .referenceList([record]),
            .reference(try Reference(RecordID("list"), action: .validate)),
            .referenceList([Reference(record), try Reference(RecordID("list"), action: .deleteSelf)]),
            .asset(asset), .assetList([asset, asset]),
        ]
        #expect(Set(values.map(\.type)).count == FieldType.allCases.count)
        for value in values { #expect(try decode(json(value)) == value, "\(value.type)") }
        try comesBack(FieldValue.bytes([0, 255]), as: #"{"type":"bytes","value":"00ff"}"#)
    }

    @Test func anAssetOfMalformedTextIsRefused() throws {
        let (id, hash) = (String(repeating: "0", count: 32), String(repeating: "0", count: 64))
        func text(_ id: String, _ zone: String, _ size: String, _ hash: String) -> String {
            #"{"id":"\#(id)","zone":"\#(zone)","size":\#(size),"sha256":"\#(hash)"}"#
        }
        let asset: Asset = try decode(text(id, "Notes", "3", hash))
        #expect(asset.size == 3)
        for text in [
            "{}", "null", "[]", text(id, "Notes", "-1", hash), text(id, "Notes", "9223372036854775808", hash),
            text(id, "Notes", "1", "00"), text("00", "Notes", "1", hash), text(id, "", "1", hash),
            text(id, String(repeating: "z", count: 300), "1", hash),
        ] {
            #expect(throws: DecodingError.self) { let _: Asset = try decode(text) }
        }
    }

    @Test func resultsOfADiscoveryRoundTrip() throws {
        let store = try TestService()
        _ = try store.discoverable("Ada", emails: "ada@example.com")
        let discovery = try store.session("Bob").discover(book("ada@example.com"))
        let text = try json(discovery)
        let again: Discovery = try decode(text)
        #expect(again.identities == discovery.identities)
        #expect(again.syncState == discovery.syncState)
        let match: PrivateMatch = try decode(
            #"{"userRecordID":"\#(id)","contacts":[{"index":3,"label":"Ada"}]}"#
        )
        #expect(match.contacts.map(\.label) == ["Ada"])
    }

    private func refuses<Value: Decodable>(_: Value.Type, _ texts: String...) {
        for text in texts {
            #expect(throws: DecodingError.self, "\(text)") { try decode(text, as: Value.self) }
        }
    }

    @Test func malformedInputThrowsADecodingError() throws {
        refuses(
            UserRecordID.self,
            "\"\"",
            "\"_0123\"",
            "\"\(id.uppercased())\"",
            "\"0\(id.dropFirst())\"",
            "5",
            "null",
            "[]"
        )
        refuses(AccountID.self, "\"\(id)\"", "\"ada@example.com\"")
        refuses(ClaimID.self, "\"\"")
        refuses(ContactHash.self, "\"00\"", "\"\(String(repeating: "g", count: 64))\"", "[0]")
        refuses(EmailAddress.self, "\"ada\"", "\"\"")
        refuses(Discoverability.self, "\"maybe\"", "1", "\"\"")
        refuses(Timestamp.self, "1e30", "\"now\"", "1.5")
        let long = String(repeating: "a", count: PersonName.maximumLength + 1)
        refuses(PersonName.self, #"{"givenName":"\#(long)"}"#, "[]", #"{"givenName":5}"#)
        refuses(
            Location.self,
            #"{"latitude":91,"longitude":0}"#,
            #"{"latitude":0}"#,
            #"{"latitude":0,"longitude":-180.1}"#
        )
        refuses(DiscoveredIdentity.Contact.self, #"{"index":-1,"label":""}"#, #"{"label":""}"#)
        refuses(
            FieldValue.self,
            #"{"type":"text","value":"a"}"#,
            #"{"type":"string","value":5}"#,
            #"{"type":"bytes","value":"0"}"#,
            #"{"type":"bytes","value":"zz"}"#,
            #"{"type":"int64","value":9223372036854775808}"#,
            #"{"type":"location","value":{"latitude":100,"longitude":0}}"#,
            #"{"type":"reference","value":"ada"}"#,
            #"{"value":5}"#,
            "{}"
        )
        do {
            let _: EmailAddress = try decode("\"secret.example.com\"")
        } catch {
            #expect(!"\(error)".contains("secret"), "an error holds nothing of the text")
        }
    }
}
