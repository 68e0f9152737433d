import KinfolkContacts

/// Consecutive rows of a file of people: the accounts to create, and the rows that cannot be used.
struct PeopleBatch: Sendable {
    private(set) var rows = 0
    private(set) var people: [Newcomer] = []
    private var skipped: [PeopleImport.Skip] = []
    private var skippedCount = 0

    mutating func read(_ row: CSVRow, _ columns: PeopleColumns) {
        rows += 1
        do {
            // Collected in an array first, because the initialiser may throw.
            var refused: [PersonSkipReason] = []
            let person = try Newcomer(row, columns) { refused.append($0) }
            for reason in refused { skip(reason, line: row.line) }
            if let person { people.append(person) }
        } catch {
            skip(error, line: row.line)
        }
    }

    private mutating func skip(_ reason: PersonSkipReason, line: Int) {
        skippedCount += 1
        // A report never lists more than this.
        guard skipped.count < PeopleImport.maximumListedSkips else { return }
        skipped.append(PeopleImport.Skip(line: line, reason: reason))
    }

    /// Adds the rows to a report, in the order of the file.
    ///
    /// - Parameter isMade: For each person whether the account was created.
    func add(to report: inout PeopleImport, _ isMade: [Bool]) {
        report.rows += rows
        var taken: [PeopleImport.Skip] = []
        for (person, isMade) in zip(people, isMade) {
            if isMade {
                report.count(created: person.discoverability)
            } else {
                taken.append(PeopleImport.Skip(line: person.line, reason: .addressTaken))
            }
        }
        report.skip((skipped + taken).sorted { $0.line < $1.line }, count: skippedCount + taken.count)
    }
}
