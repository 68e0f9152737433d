import Kinfolk
import KinfolkRecords
import TestSupport

/// Invented values for a record with a field of each kind of index.
struct IndexedVisit {
    static let type = "Visit"
    /// Two fields of each kind have the same value, so that the experiment can compare their tags.
    static let fields = ["first", "second"]

    /// - Parameter grants: The grants of the record type.
    static func schema(_ grants: String) -> String {
        let kinds = [
            ("name", "STRING QUERYABLE"), ("labels", "LIST<STRING> QUERYABLE"), ("amount", "INT64 QUERYABLE"),
            ("ratio", "DOUBLE QUERYABLE"), ("day", "TIMESTAMP QUERYABLE"), ("data", "BYTES QUERYABLE"),
            ("friend", "REFERENCE QUERYABLE"), ("note", "STRING SEARCHABLE"), ("place", "LOCATION QUERYABLE"),
            ("rank", "STRING SORTABLE"),
        ]
        let types = [type, "Other"].map { type in
            let fields = fields.flatMap { prefix in kinds.map { "\(prefix)_\($0.0) \($0.1)" } }.joined(separator: ", ")
            return "RECORD TYPE \(type) (\(fields), \(grants))"
        }
        return "DEFINE SCHEMA \(types.joined(separator: "; "));"
    }

    /// A public type is read as creator only, so that each public record has entries in two scopes.
    static let readAsCreator = #"GRANT READ, WRITE TO "_creator", GRANT CREATE TO "_icloud""#

    /// Without the text for words and the location.
    let queryable: [String: FieldValue]
    let note: String
    let place: Location

    init(_ number: Int) throws {
        let person = InventedPerson(number)
        var generator = SeededGenerator(seed: UInt64(number))
        func random() -> Int64 { Int64.random(in: 1 << 56...Int64.max, using: &generator) }
        note = "\(person.givenName) visited \(person.familyName) in Wonderland"
        place = try Location(
            latitude: Double.random(in: -80...80, using: &generator),
            longitude: Double.random(in: -180...180, using: &generator)
        )
        queryable = [
            "name": .string("\(person.givenName) \(person.familyName)"),
            "labels": .stringList(["label \(person.familyName)", "known as \(person.givenName)"]),
            "amount": .int64(random()),
            "ratio": .double(Double.random(in: 0...1, using: &generator)),
            "day": .date(Timestamp(microseconds: random())),
            "data": .bytes((0..<12).map { _ in UInt8.random(in: 0...255, using: &generator) }),
            "friend": .reference(try Reference(RecordID("friend-of-\(person.familyName.filter(\.isASCII))"))),
        ]
    }

    func record(_ id: RecordID, type: String = IndexedVisit.type, in fields: [String] = fields) throws -> Record {
        var record = try Record(type: type, id: id)
        for field in fields {
            for (name, value) in try values(inZone: id.zone) { try record.set("\(field)_\(name)", to: value) }
            try record.set("\(field)_note", to: .string(note))
            try record.set("\(field)_place", to: .location(place))
            try record.set("\(field)_rank", to: .string("rank of \(note)"))
        }
        return record
    }

    /// The values in a zone: a record refers to records of its own zone.
    func values(inZone zone: String) throws -> [String: FieldValue] {
        try queryable.mapValues { value in
            guard case .reference(let reference) = value else { return value }
            return .reference(try Reference(RecordID(reference.target.name, zone: zone)))
        }
    }

    var values: [IndexValue] { queryable.values.flatMap(IndexValue.all) }
    var words: Set<Word> { Word.all(in: note) }
    var cells: [Cell] { CellLevel.all.map { $0.cell(of: place) } }

    /// All texts, as the application gave them.
    var texts: [String] {
        queryable.values.flatMap { value -> [String] in
            switch value {
            case .string(let text): [text]
            case .stringList(let texts): texts
            case .reference(let reference): [reference.target.name]
            default: []
            }
        } + [note, "rank of \(note)"] + note.split(separator: " ").map(String.init).filter { $0.utf8.count >= 8 }
    }

    /// All numbers and bytes, in both orders; numbers also in decimal.
    func forEachBytes(_ body: ([UInt8]) -> Void) {
        func number(_ bits: UInt64) {
            let bytes = withUnsafeBytes(of: bits.littleEndian, Array.init)
            body(bytes)
            body(bytes.reversed())
        }
        for value in queryable.values {
            switch value {
            case .int64(let value):
                number(UInt64(bitPattern: value))
                body(Array("\(value)".utf8))
            case .double(let value): number(value.bitPattern)
            case .date(let value):
                number(UInt64(bitPattern: value.microseconds))
                body(Array("\(value.microseconds)".utf8))
            case .bytes(let value): body(value)
            default: break
            }
        }
        for degrees in [place.latitude, place.longitude] {
            number(degrees.bitPattern)
            body(Array("\(degrees)".utf8.prefix(10)))
        }
    }
}
