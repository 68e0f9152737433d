/// Makes accounts from the rows of a table, many in a transaction.
struct PeopleImporter {
    /// How many rows share a transaction.
    ///
    /// A person's rows lie all over the store, since what they are found by is random. The more people share a transaction,
    /// the more share a page that is written once: with a million in the store, 25,000 at a time take half as long as 10,000.
    /// They hold the writer for half a second in a small store and for about three in that one, while others wait, and take
    /// 60 MB while the next 25,000 are read.
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
    /// At which position the batch ends that is being written, and the one before it.
    private var writingPosition = 0
    private var donePosition = 0

    init(into container: Container, wording: ConsentWording?, batchSize: Int) {
        self.container = container
        self.wording = wording
        self.batchSize = batchSize
    }

    var hasFoundColumns: Bool { columns != nil }

    /// How many rows were dealt with, and up to which position of the file.
    var progress: (rows: Int, position: Int) {
        guard let writing else { return (report.rows, donePosition) }
        let share = writing.share
        return (
            report.rows + Int(Double(writing.batch.rows) * share),
            donePosition + Int(Double(writingPosition - donePosition) * share)
        )
    }

    /// Reads a row, and calls `meanwhile` now and then while it waits for others to be written.
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
    }

    /// Begins to make the accounts of the rows that were read, all of them or, if it fails, none.
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

    /// Makes the accounts of all rows that were read.
    mutating func finish(_ meanwhile: (PeopleImporter) throws(KinfolkError) -> Void) throws(KinfolkError) {
        try writeBatch(meanwhile)
        try finishWriting(meanwhile)
    }

    /// Waits until nothing is written any more, whatever comes of it.
    func stop() { _ = try? writing?.wait() }
}
