import KinfolkCrypto
import ServiceSupport
import Testing

@testable import Kinfolk

@Suite struct FieldCodecTests {
    private func fields(_ values: KeyValuePairs<String, FieldValue>) -> Fields {
        var fields = Fields()
        for (name, value) in values { fields[name] = value }
        return fields
    }

    /// Fields are decoded when they are used. Then nothing can be wrong with them any more.
    private func decodeAll(_ fields: Fields) {
        #expect(fields.names.count == fields.count && fields.values.count == fields.count)
        for (name, value) in fields { #expect(fields[name] == value) }
        #expect(fields[""] == nil || fields.names.contains(""))
    }

    @Test(arguments: FieldType.allCases) func valuesRoundTripBitForBit(type: FieldType) throws {
        for _ in 0..<200 {
            let value = try FieldSamples.value(of: type)
            #expect(value.type == type)
            let read = try FieldReader.fields(FieldWriter(fields(["field": value])).bytes)
            #expect(read == fields(["field": value]))
        }
    }

    @Test func manyFieldsRoundTripTogether() throws {
        for count in 0..<60 {
            let fields = try FieldSamples.fields(count)
            #expect(try FieldReader.fields(FieldWriter(fields).bytes) == fields)
        }
    }

    @Test func fieldsFromTheStoreAreLikeThoseThatWereSet() throws {
        for count in 0..<40 {
            let fields = try FieldSamples.fields(count)
            var read = try FieldReader.fields(FieldWriter(fields).bytes)
            #expect(read.count == fields.count && read.size == fields.size)
            #expect(read.hashValue == fields.hashValue)
            for name in fields.names + ["", "field", "field99"] { #expect(read[name] == fields[name]) }
            #expect(read.elementsEqual(fields, by: ==))
            read["field0"] = nil
            var changed = fields
            changed["field0"] = nil
            #expect(read == changed)
        }
    }

    /// In bytes that no version writes, the last of several fields with one name counts, as before.
    @Test func fieldsInAnotherOrderAreSorted() throws {
        let bytes = ["b", "a", "c", "a"].enumerated().flatMap { FieldWriter(fields([$1: .int64(Int64($0))])).bytes }
        #expect(try FieldReader.fields(bytes) == fields(["a": .int64(3), "b": .int64(0), "c": .int64(2)]))
    }

    /// The work for asking for each field grows with their number, and not with its square.
    @Test func askingForEachFieldIsLinear() throws {
        func steps(_ count: Int) throws -> Int {
            let fields = try FieldReader.fields(FieldWriter(FieldSamples.fields(count)).bytes)
            return ReadingSteps.of { for number in 0..<count { _ = fields["field\(number)"] } }
        }
        #expect(try steps(16) > 0)
        #expect(try steps(1_000) == 0)
    }

    @Test func fieldsAreASortedDictionary() throws {
        var (fields, expected) = (Fields(), [String: FieldValue]())
        for step in 0..<3_000 {
            let name = "f\(Int.random(in: 0..<60))"
            let value: FieldValue? = Bool.random() ? .int64(Int64(step)) : nil
            fields[name] = value
            expected[name] = value
            #expect(fields[name] == value)
            #expect(fields.names == expected.keys.sorted())
            #expect(fields.values == fields.names.map { expected[$0] })
        }
    }

    @Test func theSameFieldsHaveTheSameBytes() throws {
        let fields = try FieldSamples.fields(40)
        var shuffled = Fields()
        for name in fields.names.shuffled() { shuffled[name] = fields[name] }
        #expect(shuffled == fields)
        #expect(FieldWriter(fields).bytes == FieldWriter(shuffled).bytes)
    }

    @Test func truncatedBytesAreRefusedOrHaveTheFirstFields() throws {
        for type in FieldType.allCases {
            let first = try FieldSamples.value(of: type)
            let bytes = FieldWriter(fields(["a": first, "b": try FieldSamples.value(of: type)])).bytes
            for length in 0..<bytes.count {
                let read = try? FieldReader.fields(Array(bytes.prefix(length)))
                #expect(read == nil || read == Fields() || read == fields(["a": first]), "\(type) at \(length)")
            }
        }
    }

    @Test func changedBytesNeverTrap() throws {
        for type in FieldType.allCases {
            let bytes = FieldWriter(fields(["field": try FieldSamples.value(of: type), "other": .int64(1)])).bytes
            for index in bytes.indices {
                for value in [0, 1, 0x7f, 0x80, 0xff, UInt8.random(in: 0...255)] as [UInt8] {
                    var changed = bytes
                    changed[index] = value
                    do { decodeAll(try FieldReader.fields(changed)) } catch let error as KinfolkError {
                        #expect(error.code == .storeCorrupt || error.code == .invalidArgument)
                    }
                }
            }
        }
    }

    @Test func randomBytesNeverTrap() {
        for length in 0..<400 {
            for _ in 0..<10 { _ = (try? FieldReader.fields(SecureRandom.bytes(length))).map(decodeAll) }
        }
    }

    @Test func aFalseCountIsRefusedBeforeMemoryIsAllocated() {
        for type in FieldType.allCases {
            expect(.storeCorrupt) { try FieldReader.fields([1, 0x61, type.rawValue, 0xff, 0xff, 0xff, 0xff]) }
        }
    }

    @Test func anUnknownTypeIsRefused() {
        for type in UInt8.min ... .max where FieldType(rawValue: type) == nil {
            expect(.storeCorrupt) { try FieldReader.fields([1, 0x61, type, 0, 0, 0, 0]) }
        }
    }

    @Test func referencesToUserRecordsHaveTheBytesOfVersion010() throws {
        let ids = [UserRecordID(.make()), UserRecordID(.make())]
        let one = [1, 0x66, 8] + ids[0].value.bytes, list = [1, 0x66, 24, 2, 0, 0, 0] + ids.flatMap(\.value.bytes)
        #expect(try FieldReader.fields(one) == fields(["f": .reference(ids[0])]))
        #expect(FieldWriter(fields(["f": .reference(ids[0])])).bytes == one)
        #expect(try FieldReader.fields(list) == fields(["f": .referenceList(ids)]))
        #expect(FieldWriter(fields(["f": .referenceList(ids)])).bytes == list)
    }

    @Test(arguments: ReferenceAction.allCases) func referencesKeepTheirActions(action: ReferenceAction) throws {
        let (user, long) = (UserRecordID(.make()), try RecordID(String(repeating: "x", count: 255)))
        for value: FieldValue in [
            .reference(try Reference(RecordID("a"), action: action)),
            .reference(try Reference(long, action: action)),
            .referenceList([try Reference(RecordID("a"), action: action)]),
            .referenceList([Reference(user), try Reference(RecordID("a"), action: action), Reference(user)]),
        ] {
            #expect(try FieldReader.fields(FieldWriter(fields(["field": value])).bytes) == fields(["field": value]))
        }
    }

    @Test func theTargetsOfARecordAreInItsZone() throws {
        let value = FieldValue.referenceList([try Reference(RecordID("a")), Reference(UserRecordID(.make()))])
        let read = try FieldReader.fields(FieldWriter(fields(["field": value])).bytes, zone: "Family")
        #expect(read["field"]?.references.map(\.target.zone) == ["Family", RecordID.defaultZone])
        #expect(read["field"] != value)
    }

    @Test func anUnknownActionIsRefused() {
        for action in UInt8(3) ... .max {
            expect(.storeCorrupt) { try FieldReader.fields([1, 0x61, 72, action, 1, 0x61]) }
            expect(.storeCorrupt) { try FieldReader.fields([1, 0x61, 88, 1, 0, 0, 0, action, 1, 0x61]) }
        }
        #expect(throws: Never.self) { try FieldReader.fields([1, 0x61, 72, 2, 1, 0x61]) }
    }

    @Test func valuesAreEqualWhenTypeAndBitsAre() throws {
        #expect(FieldValue.double(.nan) == .double(.nan))
        #expect(FieldValue.double(0) != .double(-0.0))
        #expect(FieldValue.int64(0) != .date(Timestamp(microseconds: 0)))
        #expect(FieldValue.string("e\u{301}") != .string("\u{e9}"), "text is not normalised")
        #expect(FieldValue.stringList([]) != .int64List([]))
        #expect(FieldValue.int64List([1, 2]) != .int64List([2, 1]))
        #expect(
            try FieldValue.location(Location(latitude: 0, longitude: 0))
                != .location(Location(latitude: -0.0, longitude: 0))
        )
        #expect(Set([FieldValue.double(.nan), .double(.nan), .double(1)]).count == 2)
    }

    @Test(
        arguments: [(90.1, 0), (-90.1, 0), (0, 180.1), (0, -180.1), (.nan, 0), (0, .nan), (.infinity, 0)]
            as [(Double, Double)]
    )
    func aLocationOutsideOfTheRangeIsRefused(latitude: Double, longitude: Double) {
        expect(.invalidArgument) { try Location(latitude: latitude, longitude: longitude) }
    }
}
