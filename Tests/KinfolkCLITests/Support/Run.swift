import Foundation
import Testing

/// The result of a command.
struct Run {
    let status: Int32
    let output: String
    let errors: String

    /// The one JSON document on standard output.
    func json(sourceLocation: SourceLocation = #_sourceLocation) throws -> [String: Any] {
        try Run.object(output, sourceLocation)
    }

    /// The one JSON document on standard error.
    func errorJSON(sourceLocation: SourceLocation = #_sourceLocation) throws -> [String: Any] {
        try Run.object(errors, sourceLocation)
    }

    private static func object(_ text: String, _ location: SourceLocation) throws -> [String: Any] {
        let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
        return try #require(value as? [String: Any], sourceLocation: location)
    }

    var lines: [Substring] { output.split(separator: "\n", omittingEmptySubsequences: false).dropLast() }
}
