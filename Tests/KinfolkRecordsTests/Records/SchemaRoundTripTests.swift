import Kinfolk
import ServiceSupport
import TestSupport
import Testing

/// Random schemas, written and read again.
@Suite("Schema round trips") struct SchemaRoundTripTests {
    private static let types = [
        "ASSET", "BYTES", "DOUBLE", "INT64", "LOCATION", "REFERENCE", "STRING", "TIMESTAMP",
        "INT64 /* kinfolk: boolean */",
    ]
    private static let names = [
        "a", "b_2", "title", "Type", "list", "record", "read", "\"grant\"", "\"SORTABLE\"", "\"to\"",
    ]

    /// A schema text with some of everything.
    private struct Writer {
        var random: Numbers

        mutating func some(_ texts: [String]) -> [String] { texts.filter { _ in random.next(below: 2) == 0 } }

        mutating func one(_ texts: [String]) -> String { texts[Int(random.next(below: UInt64(texts.count)))] }

        mutating func keyword(_ word: String) -> String {
            one([word, word.lowercased(), "\(word)/**/", "\n\(word) -- x\n"])
        }

        mutating func field(_ name: String) -> String {
            let type = one(SchemaRoundTripTests.types)
            let isList = random.next(below: 3) == 0
            let isEncrypted = !["ASSET", "REFERENCE"].contains(type) && random.next(below: 4) == 0
            var indexes: [String] = []
            if !isEncrypted, type != "ASSET" {
                indexes = some(["QUERYABLE"])
                if !isList, type != "BYTES" { indexes += some(["SORTABLE"]) }
                if type == "STRING" { indexes += some(["SEARCHABLE"]) }
            }
            let element = "\(isEncrypted ? keyword("ENCRYPTED") : "") \(type)"
            let words = indexes.map { keyword($0) }.joined(separator: " ")
            return "\(name) \(isList ? "\(keyword("LIST")) <\(element)>" : element) \(words)"
        }

        mutating func grant(_ roles: [String]) -> String {
            let permissions = some(["READ", "CREATE"]) + ["WRITE"]
            return "\(keyword("GRANT")) \(permissions.joined(separator: " , ")) TO \(one(roles))"
        }

        mutating func text() -> String {
            let roles = some(["Editor", "\"Author\""])
            var text = "DEFINE \(keyword("SCHEMA"))\n" + roles.map { "CREATE ROLE \($0);" }.joined()
            for type in some(["Users", "Note", "\"grant\"", "Task", "x"]) {
                var entries = some(["\"___createTime\" TIMESTAMP SORTABLE", "\"___recordID\" REFERENCE QUERYABLE"])
                for name in some(SchemaRoundTripTests.names) { entries.append(field(name)) }
                let allRoles = roles + ["\"_world\"", "\"_icloud\"", "\"_creator\""]
                for _ in 0..<random.next(below: 3) { entries.append(grant(allRoles)) }
                text += "\(keyword("RECORD")) TYPE \(type) (\(entries.joined(separator: ",")));"
            }
            return text
        }
    }

    /// Repeatable random numbers (splitmix64, Steele and others, "Fast Splittable Pseudorandom Number Generators", 2014).
    private struct Numbers {
        var state: UInt64

        mutating func next(below limit: UInt64) -> UInt64 {
            state &+= 0x9e37_79b9_7f4a_7c15
            var mixed = (state ^ state >> 30) &* 0xbf58_476d_1ce4_e5b9
            mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
            return (mixed ^ mixed >> 31) % limit
        }
    }

    @Test func aRandomSchemaIsReadAsItIsWritten() throws {
        let store = try TestService()
        let first = store.container
        let second = try store.service.createContainer("com.example.second")
        let third = try store.service.createContainer("com.example.third")
        let development = try store.service.container("com.example.third", environment: .development)
        for seed in 0..<60 {
            var writer = Writer(random: Numbers(state: UInt64(seed)))
            let text = writer.text()
            for container in [first, second] { try reset(container) }
            let difference = try first.applySchema(text)
            #expect(try first.schemaDifference(text, removesMissing: true).isEmpty, "seed \(seed): \(text)")
            let exported = try first.exportSchema()
            #expect(try first.schemaDifference(exported, removesMissing: true).isEmpty, "seed \(seed): \(text)")
            #expect(try second.applySchema(exported).changes.count == difference.changes.count, "seed \(seed): \(text)")
            #expect(try second.exportSchema() == exported, "seed \(seed): \(text)")
            if seed == 0 {
                // What production has already would stay there.
                try development.applySchema(text)
                try third.deploySchema()
                #expect(try third.exportSchema() == exported)
            }
        }
        #expect(try store.service.check().isSound)
    }

    /// Removes the whole schema.
    private func reset(_ container: Container) throws {
        try container.applySchema(TestService.emptySchema, removesMissing: true)
        #expect(try container.exportSchema() == TestService.emptySchema)
    }
}
