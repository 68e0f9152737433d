import Kinfolk

/// Every call that reads or writes records, made by one session about one record.
final class RecordCalls {
    /// What the calls returned: everything that a caller can read in a record, or in an error.
    private(set) var answers: [String] = []

    private let session: Session
    private let database: Database

    init(_ session: Session, in scope: DatabaseScope) {
        self.session = session
        database = session.database(scope)
    }

    // MARK: Reading

    /// - Parameter others: IDs to fetch in the same call.
    func read(_ id: RecordID, with others: [RecordID]) {
        note { [.success(try database.fetch(id))] }
        note { try database.fetch([id]).map { $0.map(Optional.some) } }
        note { try database.fetch(others + [id]).map { $0.map(Optional.some) } }
        if let user = id.user { note { [.success(try session.fetchUserRecord(user, in: database.scope))] } }
        note { [.success(try session.fetchUserRecord(in: database.scope))] }
    }

    func export() {
        do { answers.append(try session.export()) } catch { answers.append(error.shown) }
    }

    // MARK: Writing

    /// Every way to save `record`: with each policy, and with each operation, alone and in batches with a record of the caller's own.
    func write(_ record: Record) throws {
        for policy in SavePolicy.allCases { note { [.success(try database.save(record, policy: policy))] } }
        note { [.success(try session.save(record))] }
        try run([.create(record), .update(record), .replace(record), .forceUpdate(record), .forceReplace(record)])
    }

    /// Every way to delete a record, with the change tag that it has.
    func delete(_ id: RecordID, changeTag: String?) throws {
        for tag in [nil, changeTag, "0000000000000000"] {
            note {
                try database.delete(id, changeTag: tag)
                return [.success(nil)]
            }
            try run([.delete(id, changeTag: tag)])
        }
        try run([.forceDelete(id)])
    }

    private func run(_ operations: [RecordOperation]) throws {
        for operation in operations {
            for isAtomic in [false, true] {
                note { try Array(database.run([operation], atomically: isAtomic)) }
                let own = try RecordScene.record(title: "own")
                note { try Array(database.run([.create(own), operation], atomically: isAtomic)) }
            }
        }
    }

    private func note(_ call: () throws -> [Result<Record?, KinfolkError>]) {
        do {
            let results = try call()
            answers += results.map { result in
                switch result {
                case .success(let record): record?.shown ?? "deleted"
                case .failure(let error): error.shown
                }
            }
        } catch {
            answers.append((error as? KinfolkError)?.shown ?? "\(error)")
        }
    }
}

extension KinfolkError {
    var shown: String { "\(code) \(reason) \(serverRecord?.shown ?? "")" }
}
