import Foundation

/// How much the tests try that search for inputs with a wrong answer.
package enum Search {
    /// Whether to try everything, as `make torture` does, and not only what fits into the tests of every day.
    package static let isLong = ProcessInfo.processInfo.environment["KINFOLK_TEST_LONG"] == "1"

    /// Values for a test that makes a store for each of them: all of them in files and in a long search. A server needs half a second for a new
    /// store, so there it gets an eighth of them, other ones in each run.
    package static func some<Value>(_ values: [Value]) -> [Value] {
        isLong || TemporaryFolder.hasFiles ? values : Array(values.shuffled().prefix(max(1, values.count / 8)))
    }
}
