package import KinfolkModel
package import KinfolkStorage

extension Service {
    /// Runs `body` on a snapshot of the store.
    package func read<Result>(_ body: (Connection) throws -> Result) throws(KinfolkError) -> Result {
        do { return try store.read(body) } catch { throw KinfolkError(error) }
    }

    /// Runs `body` while nobody else writes. When it returns, what it wrote is on disk, unless `isDurable` is false. Nothing is written if
    /// it throws.
    package func write<Result>(
        isLarge: Bool = false,
        isRepeatable: Bool = false,
        isDurable: Bool = true,
        _ body: (Connection) throws -> Result,
        then: ((Result) -> Void)? = nil
    ) throws(KinfolkError) -> Result {
        do {
            let result = try store.write(
                isLarge: isLarge,
                isRepeatable: isRepeatable,
                isDurable: isDurable,
                body,
                then: then
            )
            noteWrite()
            return result
        } catch {
            throw KinfolkError(error)
        }
    }

    /// Does the work that is due, and notes that the store has changed. Call this after a caller's write that used the store directly.
    package func noteWrite() {
        upkeep.run(for: self)
        age.noteChange(at: steadyClock())
        for component in components { for work in component.written { work(self) } }
    }

    /// How many reads of the store have begun since the service was opened.
    package var readCount: Int { store.readCount }

    /// Records the statements that `body` runs and the work of each. Nobody else may use the service meanwhile.
    package func tracing<Result>(_ body: () throws -> Result) rethrows -> (Result, [WorkDone]) {
        try store.tracing(body)
    }
}
