import ArgumentParser
import Kinfolk
import KinfolkJSON

struct RecordQuery: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "query",
        abstract: "Find records of one type that satisfy a predicate.",
        discussion: """
            The predicate is a text as for NSPredicate; without it, all records of the type are found. It compares fields with \
            values, with these operators:
              = != < <= > >=, BETWEEN {1, 5}, IN {'a', 'b'}
              BEGINSWITH, CONTAINS; ANY before a list
              AND, OR, NOT, and parentheses
              self CONTAINS 'words', in the SEARCHABLE fields
              distanceToLocation:fromLocation:(FIELD, %@) < METRES

            Texts stand in quotes, or as %@ for an argument after the predicate. An argument is VALUE, a string, or \
            :TYPE=VALUE with the types of "record save": :int64=5, :date=2026-01-31T12:00:00Z, :string[]=red,green. It is never \
            read as a part of the predicate. %K stands for the name of a field.

            The fields of every record are recordName, createdAt, createdBy, modifiedAt, modifiedBy and changeTag.

            One answer is a page. If there are more records, it ends with a cursor: give it with the same query to see the next \
            page.

            EXAMPLE
              kinfolk record query Note 'title BEGINSWITH %@' Gro \\
                --sort -createdAt --database private \\
                --container com.example.notes --account ada@example.com
            """
    )

    @Argument(help: ArgumentHelp("The record type.", valueName: "record-type"))
    var type: String

    @Argument(help: "The condition that the records satisfy.")
    var predicate: String?

    @Argument(help: ArgumentHelp("A value for each %@ and %K.", valueName: "argument"))
    var arguments: [QueryArgument] = []

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "A field to sort by; may be repeated.",
            discussion: "-FIELD is descending. FIELD:LATITUDE,LONGITUDE sorts by the distance from there.",
            valueName: "field"
        )
    )
    var sort: [QueryOrder] = []

    @Option(
        help: ArgumentHelp(
            "Find only records of this zone.",
            discussion: "Default: all zones of the database.",
            valueName: "zone-name"
        )
    )
    var zone: String?

    @Option(help: ArgumentHelp("Show only these fields, with commas between them.", valueName: "fields"))
    var keys: String?

    @Option(
        help: ArgumentHelp(
            "How many records a page has.",
            discussion: "Default: \(Database.standardPage). The most is \(Database.maximumBatch).",
            valueName: "n"
        )
    )
    var limit: Int?

    @Option(help: ArgumentHelp("Show the page after the one that ended with this cursor.", valueName: "hex"))
    var cursor: String?

    @Flag(help: "Show the records of all pages.")
    var all = false

    @Flag(help: "Show only how many records there are.")
    var count = false

    @Flag(help: "Show which indexes answer the query, which are missing, and what is read.")
    var explain = false

    @Option(help: "public: everybody can read it. private: only the person can.")
    var database: DatabaseOptions.Scope

    @OptionGroup var session: SessionOptions
    @OptionGroup var options: StoreOptions

    func validate() throws {
        guard (1...Database.maximumBatch).contains(limit ?? 1) else {
            throw ValidationError("--limit is 1 to \(Database.maximumBatch).")
        }
        guard [all, count, explain].count(where: { $0 }) <= 1 else {
            throw ValidationError("--all, --count and --explain exclude each other.")
        }
        guard !count && !explain || cursor == nil && keys == nil else {
            throw ValidationError("--cursor and --keys do not fit --count and --explain.")
        }
    }

    func answer(from service: Service) throws -> Answer {
        let query = try query()
        let start = try knownCursor()
        let database = try session.session(in: service).database(database == .public ? .public : .private)
        do {
            if count {
                let count = try database.count(query, inZone: zone)
                return Answer(["count": .count(count)], line: "\(count)")
            }
            if explain {
                let limit = limit ?? Database.standardPage
                return ExplanationView(try database.explain(query, inZone: zone, limit: limit)).answer
            }
            return try records(of: query, after: start, in: database)
        } catch {
            guard error.code == .limitExceeded, !explain else { throw error }
            throw error.advising("\"kinfolk record query --explain\" lists the indexes that a query lacks.")
        }
    }

    private func query() throws(KinfolkError) -> Query {
        var values: [FieldValue] = []
        for argument in arguments { values.append(try argument.value()) }
        var orders: [QuerySortDescriptor] = []
        for order in sort { orders.append(try order.descriptor()) }
        let condition = try predicate.map { text throws(KinfolkError) in try QueryPredicate(text, arguments: values) }
        return try Query(type, where: condition ?? .all, sortedBy: orders)
    }

    private func knownCursor() throws(KinfolkError) -> QueryCursor? {
        guard let cursor else { return nil }
        guard let bytes = Hexadecimal.bytes(cursor.utf8), !bytes.isEmpty else {
            throw KinfolkError(.invalidArgument, "--cursor holds no cursor.")
        }
        return try QueryCursor(bytes: bytes)
    }

    private func records(
        of query: Query,
        after start: QueryCursor?,
        in database: Database
    ) throws(KinfolkError) -> Answer {
        let keys = keys.map { Set($0.split(separator: ",").map(String.init)) }
        let limit = limit ?? (all ? Database.maximumBatch : Database.standardPage)
        var records: [Record] = []
        var next = start
        repeat {
            let page = try database.query(query, inZone: zone, desiredKeys: keys, limit: limit, after: next)
            records += page.records
            next = page.cursor
        } while all && next != nil
        return QueryView(records, cursor: next).answer
    }
}
