import KinfolkStorage

/// Makes accounts from the rows of a table, many in a transaction.
///
/// A person's rows lie all over the store, since what they are found by is random. The more of them share a transaction, the
/// more share a page that is written once: 10,000 take a third of the time that 1,000 take, and hold the writer for about
/// half a second.
struct PeopleImporter {
    private static let batchSize = 10_000

    private let container: Container
    private let wording: ConsentWording?
    private var columns: PeopleColumns?
    private var batch: [Newcomer] = []
    private(set) var report = PeopleImport()

    private var service: Service { container.service }

    init(into container: Container, wording: ConsentWording?) {
        self.container = container
        self.wording = wording
        batch.reserveCapacity(PeopleImporter.batchSize)
    }

    var hasFoundColumns: Bool { columns != nil }

    mutating func read(_ row: CSVRow) throws(KinfolkError) {
        guard let columns else { return try readHeader(row) }
        report.rows += 1
        do {
            var refused: [PersonSkipReason] = []
            let person = try Newcomer(row, columns) { refused.append($0) }
            for reason in refused { report.skip(reason, line: row.line) }
            if let person { batch.append(person) }
        } catch {
            report.skip(error, line: row.line)
        }
        if batch.count == PeopleImporter.batchSize { try flush() }
    }

    private mutating func readHeader(_ row: CSVRow) throws(KinfolkError) {
        let columns = try PeopleColumns(header: row)
        guard !columns.hasConsent || wording != nil else {
            throw KinfolkError(
                .invalidArgument,
                "The file says who consented to be found: give the wording that they were shown, and its version."
            )
        }
        self.columns = columns
    }

    /// Makes the accounts of the rows that were read, all of them or, if it throws, none.
    mutating func flush() throws(KinfolkError) {
        guard !batch.isEmpty else { return }
        let made = try service.write { db in
            let writer = try NewcomerWriter(container: container, wording: wording, db)
            return try batch.map { try writer.insert($0) }
        }
        for (person, isMade) in zip(batch, made) {
            if isMade {
                report.count(created: person.discoverability)
            } else {
                report.skip(.addressTaken, line: person.line)
            }
        }
        batch.removeAll(keepingCapacity: true)
    }
}
