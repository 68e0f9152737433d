import KinfolkAccounts
import KinfolkContacts
import KinfolkModel

/// Creates accounts from the rows of a table, many in each transaction.
struct PeopleImporter {
    /// How many rows share a transaction.
    ///
    /// A person's rows are spread over the whole store, because IDs and tags are random. The more people share a transaction, the
    /// more of their rows are on the same page, which is written once: with a million people in the store, batches of 25,000 take
    /// half as long as batches of 10,000. A batch holds the write lock, while others wait, for half a second in a small store and
    /// for about three seconds in that one. It takes 60 MB while the next 25,000 rows are read.
    static let batchSize = 25_000

    private let container: Container
    private let wording: ConsentWording?
    private let batchSize: Int
    private var columns: PeopleColumns?
    private var batch = PeopleBatch()
    private var writing: PeopleWrite?
    private(set) var report = PeopleImport()

    /// How many bytes of the file were read.
    var position = 0
    /// The file positions where the batch that is being written ends, and where the batch before it ends.
    private var writingPosition = 0
    private var donePosition = 0

    init(into container: Container, wording: ConsentWording?, batchSize: Int) {
        self.container = container
        self.wording = wording
        self.batchSize = batchSize
    }

    var hasFoundColumns: Bool { columns != nil }

    /// How many rows have been processed, and up to which position in the file.
    var progress: (rows: Int, position: Int) {
        guard let writing else { return (report.rows, donePosition) }
        let share = writing.share
        return (
            report.rows + Int(Double(writing.batch.rows) * share),
            donePosition + Int(Double(writingPosition - donePosition) * share)
        )
    }

    /// Reads a row. While it waits for a batch to be written, it calls `meanwhile` from time to time.
    mutating func read(_ row: CSVRow, _ meanwhile: (PeopleImporter) throws(KinfolkError) -> Void) throws(KinfolkError) {
        guard let columns else { return try readHeader(row) }
        batch.read(row, columns)
        if batch.rows == batchSize { try writeBatch(meanwhile) }
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
        report.ignoredColumns = columns.ignored
    }

    /// Starts to create the accounts of the rows read so far: all of them or, if it fails, none.
    private mutating func writeBatch(_ meanwhile: (PeopleImporter) throws(KinfolkError) -> Void) throws(KinfolkError) {
        try finishWriting(meanwhile)
        writing = PeopleWrite(batch, into: container, wording: wording)
        writingPosition = position
        batch = PeopleBatch()
    }

    private mutating func finishWriting(_ meanwhile: (PeopleImporter) throws(KinfolkError) -> Void) throws(KinfolkError)
    {
        guard let writing else { return }
        let isMade = try writing.wait { () throws(KinfolkError) in try meanwhile(self) }
        self.writing = nil
        donePosition = writingPosition
        writing.batch.add(to: &report, isMade)
    }

    /// Creates the accounts of all rows that were read.
    mutating func finish(_ meanwhile: (PeopleImporter) throws(KinfolkError) -> Void) throws(KinfolkError) {
        try writeBatch(meanwhile)
        try finishWriting(meanwhile)
    }

    /// Waits until all writes have ended. A batch that was written last is in the report.
    mutating func stop() {
        guard let writing else { return }
        self.writing = nil
        guard let isMade = try? writing.wait() else { return }
        donePosition = writingPosition
        writing.batch.add(to: &report, isMade)
    }
}
