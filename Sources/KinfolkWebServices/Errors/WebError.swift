import Kinfolk
import KinfolkJSON

/// Why a request, or one item of it, failed.
struct WebError: Error, Sendable {
    let code: ServerErrorCode
    /// One sentence for the programmer of the client. It never holds an address, a name or a value of the request.
    private let sentence: String
    /// Where in the body the fault is: the names of members from the outside to the inside.
    private var place: [String] = []
    /// How many seconds to wait before the next attempt.
    var retryAfter: Double?
    /// Where a person signs in.
    var redirectURL: String?

    init(_ code: ServerErrorCode, _ sentence: String, retryAfter: Double? = nil) {
        self.code = code
        self.sentence = sentence
        self.retryAfter = retryAfter
    }

    /// A value that is not what the protocol expects there.
    ///
    /// - Parameter name: The name of the member with the value; empty for the value itself.
    static func malformed(_ name: String, _ expected: String) -> WebError {
        var error = WebError(.badRequest, "is not \(expected).")
        if !name.isEmpty { error.place = [name] }
        return error
    }

    /// The same error, found within a member of an object, or within an element of an array.
    func within(_ name: String) -> WebError {
        guard !name.isEmpty else { return self }
        var error = self
        error.place.insert(WebError.isPlain(name) ? name : "?", at: 0)
        return error
    }

    /// Whether a name can be repeated in a sentence: clients choose some of them.
    private static func isPlain(_ name: String) -> Bool {
        name.utf8.count <= 64
            && name.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
                    || "_[]".utf8.contains(byte)
            }
    }

    /// The sentence, after the place.
    var reason: String {
        guard !place.isEmpty else { return sentence }
        let path = place.dropFirst().reduce(place[0]) { $0 + ($1.hasPrefix("[") ? "" : ".") + $1 }
        return sentence.hasPrefix("is ") || sentence.hasPrefix("has ") ? "\(path) \(sentence)" : "\(path): \(sentence)"
    }

    /// The members of an error, as a whole answer or as an item of one.
    var members: [(String, JSON)] {
        var members: [(String, JSON)] = [
            ("uuid", .string(RecordID().name.lowercased())), ("serverErrorCode", .string(code.rawValue)),
            ("reason", .string(reason)),
        ]
        if let retryAfter {
            members.append(("retryAfter", .integer(Int64(retryAfter.rounded(.up).clamped(to: 1...1e9)))))
        }
        if let redirectURL { members.append(("redirectURL", .string(redirectURL))) }
        return members
    }
}

extension Double {
    fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
        min(max(self, range.lowerBound), range.upperBound)
    }
}
