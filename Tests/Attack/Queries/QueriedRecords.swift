import Kinfolk
import KinfolkStorage

/// A user asks the same questions before and after another user saves records that only that user may read: with the same and with other
/// values, more than the limit for queries without an index. Answers, orders, pages, counts, errors, explanations, statements and their
/// steps are compared.
struct QueriedRecords {
    /// By how many of SQLite's steps a statement may differ.
    private static let handful = 10
    private static let ownCount = 40
    private static let schema = """
        DEFINE SCHEMA RECORD TYPE \(RecordScene.type) (
            title STRING QUERYABLE SORTABLE, count INT64 QUERYABLE SORTABLE, plain INT64, place LOCATION QUERYABLE,
            GRANT READ, WRITE TO "_creator", GRANT CREATE TO "_icloud");
        """
    private static let readableSchema = """
        DEFINE SCHEMA RECORD TYPE \(RecordScene.type) (GRANT READ TO "_world", GRANT WRITE TO "_creator", GRANT CREATE TO "_icloud");
        """

    private struct Question {
        let text: String
        let ask: (Database) throws -> String
    }

    private let hidden: Int
    private let scope: DatabaseScope
    private let scene: RecordScene
    private let asker: Session
    private let questions: [Question]

    /// - Parameters:
    ///   - hidden: How many records the other user saves.
    ///   - scope: In which database: the public one, of a type that is read as creator only, or the other user's private one.
    init(hidden: Int, in scope: DatabaseScope) throws {
        (self.hidden, self.scope) = (hidden, scope)
        scene = try RecordScene()
        try scene.store.container.applySchema(QueriedRecords.schema)
        try scene.store.container.buildIndexes()
        asker = try scene.store.session(InventedPerson(2))
        for number in 0..<QueriedRecords.ownCount {
            _ = try asker.database(scope).save(QueriedRecords.record(number, named: "own \(number)"))
        }
        questions = try QueriedRecords.questions()
    }

    private static func record(_ number: Int, named name: String) throws -> Record {
        var record = try RecordScene.record(RecordID(name), title: "title \(number % 7)")
        try record.set("count", to: .int64(Int64(number)))
        try record.set("plain", to: .int64(Int64(number % 5)))
        try record.set("place", to: .location(Location(latitude: Double(number % 50), longitude: 13)))
        return record
    }

    private static func questions() throws -> [Question] {
        let conditions = [
            "TRUEPREDICATE", "title = 'TITLE 3'", "title != 'title 3'", "title BEGINSWITH 'title'", "count > 20",
            "count BETWEEN {5, 15}",
            "plain = 2", "title = 'title 1' AND count < 30", "title = 'title 1' OR plain = 4", "NOT (count = 3)",
            "title = NULL",
            "recordName = 'own 3'", "recordName = 'hidden 3'", "recordName IN {'hidden 1', 'hidden 2', 'own 1'}",
            "count = 7 AND plain = 2",
            "distanceToLocation:fromLocation:(place, %@) < 300000", "creationDate > %@", "nothing = 1", "title = 1",
        ]
        let orders = ["", "title", "-title", "count", "-count", "plain", "createdAt", "-modifiedAt"]
        return try conditions.flatMap { condition in
            try orders.flatMap { order in
                let arguments: [FieldValue] =
                    condition.contains("Location")
                    ? [.location(try Location(latitude: 10, longitude: 13))]
                    : condition.contains("%@") ? [.date(Timestamp(microseconds: 0))] : []
                let query = try Query(
                    RecordScene.type,
                    where: QueryPredicate(condition, arguments: arguments),
                    sortedBy: order.isEmpty ? [] : [QuerySortDescriptor(order)]
                )
                return [
                    Question(text: "\(condition), order \(order)") { try pages($0, query) },
                    Question(text: "count of \(condition), order \(order)") { "\(try $0.count(query))" },
                    Question(text: "explanation of \(condition), order \(order)") { try explanation($0, query) },
                ]
            }
        }
    }

    /// The names on all pages.
    private static func pages(_ database: Database, _ query: Query) throws -> String {
        var text = ""
        var cursor: QueryCursor?
        repeat {
            let page = try database.query(query, limit: 15, after: cursor)
            text += page.records.map(\.id.name).joined(separator: ",") + "; "
            cursor = page.cursor
        } while cursor != nil
        return text
    }

    private static func explanation(_ database: Database, _ query: Query) throws -> String {
        let explained = try database.explain(query, limit: 15)
        return "\(explained.indexes) \(explained.missingIndexes) \(explained.entriesRead) \(explained.recordsOpened) "
            + "\(explained.recordsDiscarded) \(explained.evaluatesRecords) \(explained.sortsRecords)"
    }

    func findings() throws -> [Finding] {
        let before = (answers: answers(), work: work())
        try saveHidden()
        let after = (answers: answers(), work: work())
        let different = zip(before.answers, after.answers).count { $0 != $1 }
        let others = zip(before.work, after.work).count { $0.map(\.sql) != $1.map(\.sql) }
        let largest =
            zip(before.work, after.work).flatMap { before, after in
                zip(before, after).map { abs($0.steps - $1.steps) }
            }.max() ?? 0
        try requireControl(before.answers)
        let where_ = scope == .public ? "of a public type that is read as creator" : "in a private database"
        return [
            Finding(
                "\(questions.count.grouped) questions before and after another user saves \(hidden.grouped) records \(where_): records, "
                    + "orders, pages, counts, errors, explanations",
                "\(different) answers differ",
                isHeld: different == 0 && questions.count > 400
            ),
            Finding(
                "the statements of these questions, and SQLite's steps",
                "\(others) with other statements; they differ by at most \(largest) steps",
                isHeld: others == 0 && largest <= QueriedRecords.handful
            ),
        ]
    }

    private func answers() -> [String] {
        questions.map { question in
            do { return try question.ask(asker.database(scope)) } catch {
                return (error as? KinfolkError)?.shown ?? "\(error)"
            }
        }
    }

    private func work() -> [[WorkDone]] {
        questions.map { question in
            // The first time prepares statements.
            for _ in 0..<2 { _ = try? question.ask(asker.database(scope)) }
            return scene.store.service.tracing { try? question.ask(asker.database(scope)) }.1
        }
    }

    private func saveHidden() throws {
        let database = scene.owner.database(scope)
        for start in stride(from: 0, to: hidden, by: Database.maximumBatch) {
            let operations = try (start..<min(hidden, start + Database.maximumBatch)).map { number in
                RecordOperation.create(try QueriedRecords.record(number, named: "hidden \(number)"))
            }
            for result in try database.run(operations) { _ = try result.get() }
        }
    }

    /// Records that the asker may read change the answers.
    private func requireControl(_ before: [String]) throws {
        if scope == .public {
            try scene.store.container.applySchema(QueriedRecords.readableSchema)
        } else {
            _ = try asker.privateDatabase.save(QueriedRecords.record(3, named: "one more"))
        }
        guard zip(before, answers()).count(where: { $0 != $1 }) > questions.count / 4 else {
            throw ExperimentFailure("readable records do not change the answers")
        }
    }
}
