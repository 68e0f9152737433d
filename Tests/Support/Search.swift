import Foundation

/// How much the tests try that search for inputs with a wrong answer.
package enum Search {
    /// Whether to try everything, as `make torture` does, and not only what fits into the tests of every day.
    package static let isLong = ProcessInfo.processInfo.environment["KINFOLK_TEST_LONG"] == "1"
}
