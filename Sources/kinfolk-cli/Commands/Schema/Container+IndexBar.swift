import Kinfolk

extension Container {
    /// Builds the indexes of existing records here, because the service's own thread ends with this process.
    ///
    /// - Parameter done: What was done before, to be said if the work ends early.
    func buildIndexes(after done: String) throws(KinfolkError) {
        var bar = ProgressBar("Indexing")
        defer { bar.clear() }
        let rest = "\(done) The next program that keeps the store open builds the rest of the indexes."
        do {
            try buildIndexes { (build) throws(KinfolkError) in
                let share = build.total > 0 ? Double(build.done) / Double(build.total) : 1
                try bar.show(share: share, build.done, "records", orStop: rest)
            }
        } catch {
            throw error.code == .cancelled ? error : error.advising(rest)
        }
    }
}
