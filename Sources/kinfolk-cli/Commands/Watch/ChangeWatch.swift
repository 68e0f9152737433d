import Kinfolk

/// Prints the changes of a reserved zone as they come.
struct ChangeWatch {
    /// How often to look whether the account still exists, in milliseconds.
    private static let interval: Int32 = 1_000

    let session: Session
    let zone: ReservedZone
    /// After how many lines to end; nil for no end.
    let count: Int?
    /// Whether to end with an error if the account is suspended. It always ends if the account was erased.
    let needsGoodStanding: Bool

    /// - Parameters:
    ///   - notice: What a person at a terminal reads first; nil for nothing.
    ///   - next: The lines of the changes since the last call, or of the first ones of them.
    func run(notice: String?, _ next: () throws(KinfolkError) -> [String]) throws -> WatchEnd {
        let observation = try session.observe(zone) { _ in
            Wakeup.wake()
            return .read
        }
        defer { observation.cancel() }
        if let notice, Terminal.errors.isTerminal { Streams.complain("\(notice) Press Ctrl-C to end.\n") }
        var rest = count
        while true {
            let lines = try next()
            for line in lines {
                if let end = try WatchEnd.writing(line) { return end }
                rest = rest.map { $0 - 1 }
                if rest == 0 { return .complete }
            }
            if Wakeup.signal != 0 { return .signal(Wakeup.signal) }
            if !lines.isEmpty { continue }
            if Wakeup.wait(toWrite: false, ChangeWatch.interval).isClosed { return .closed }
            if Wakeup.signal != 0 { return .signal(Wakeup.signal) }
            try requireAccount()
        }
    }

    /// Throws if the account is gone. If the store cannot be read now, it can be later.
    private func requireAccount() throws(KinfolkError) {
        switch session.accountStatus() {
        case .available, .couldNotDetermine: return
        case .restricted: guard needsGoodStanding else { return }
        case .noAccount: break
        }
        do { _ = try session.devices() } catch {
            guard error.code == .serviceUnavailable else { throw error }
        }
    }
}
