import Kinfolk
import KinfolkJSON

/// The members of a JSON object of a request. A member that is null counts as missing. Members that nobody asks for are ignored.
struct Members {
    private let members: [(String, JSON)]

    init(_ members: [(String, JSON)]) { self.members = members }

    init(_ json: JSON) throws(WebError) {
        guard case .object(let members) = json else { throw .malformed("", "an object") }
        self.init(members)
    }

    subscript(name: String) -> JSON? {
        for member in members where member.0 == name {
            if case .null = member.1 { return nil }
            return member.1
        }
        return nil
    }

    /// All members, also those that are null.
    var all: [(String, JSON)] { members }

    func text(_ name: String) throws(WebError) -> String? {
        guard let value = self[name] else { return nil }
        guard case .string(let text) = value else { throw .malformed(name, "a text") }
        return text
    }

    /// The text of the first of several members that is there.
    func firstText(_ names: String...) throws(WebError) -> String? {
        var first: String?
        for name in names {
            let text = try text(name)
            first = first ?? text
        }
        return first
    }

    func requiredText(_ name: String) throws(WebError) -> String {
        guard let text = try text(name) else { throw .missing(name) }
        return text
    }

    /// A boolean. Clients also send 0 and 1.
    func flag(_ name: String) throws(WebError) -> Bool? {
        switch self[name] {
        case nil: nil
        case .boolean(let value): value
        case .integer(0): false
        case .integer(1): true
        default: throw .malformed(name, "true or false")
        }
    }

    /// Whether clients want whole numbers of 64 bits as texts. A page of the manual spells it without the first s.
    func numbersAsStrings() throws(WebError) -> Bool {
        let (flag, other) = (try flag("numbersAsStrings"), try flag("numberAsStrings"))
        return flag ?? other ?? false
    }

    func integer(_ name: String) throws(WebError) -> Int64? {
        switch self[name] {
        case nil: nil
        case .integer(let value): value
        default: throw .malformed(name, "a whole number of 64 bits")
        }
    }

    func number(_ name: String) throws(WebError) -> Double? {
        switch self[name] {
        case nil: nil
        case .integer(let value): Double(value)
        case .double(let value): value
        default: throw .malformed(name, "a number")
        }
    }

    /// A time in milliseconds since 1970.
    func time(_ name: String) throws(WebError) -> Timestamp? {
        guard let milliseconds = try integer(name) else { return nil }
        guard let time = Timestamp(milliseconds: milliseconds) else {
            throw .malformed(name, "a number of milliseconds since 1970")
        }
        return time
    }

    func object(_ name: String) throws(WebError) -> Members? {
        guard let value = self[name] else { return nil }
        guard case .object(let members) = value else { throw .malformed(name, "an object") }
        return Members(members)
    }

    /// The most items of a request: operations, records, zones and so on.
    static let maximumItems = 200

    /// The elements of an array, each read by `body`. Nil if the member is missing.
    ///
    /// - Parameter limit: The most elements. More are refused before any of them is read.
    func list<Element>(
        _ name: String,
        limit: Int = maximumItems,
        _ body: (JSON) throws(WebError) -> Element
    ) throws(WebError) -> [Element]? {
        guard let value = self[name] else { return nil }
        guard case .array(let values) = value else { throw .malformed(name, "an array") }
        guard values.count <= limit else {
            throw WebError(.badRequest, "has more than \(limit) elements.").within(name)
        }
        return try Members.list(values, name, body)
    }

    /// Like ``list(_:_:)``, for a member that some clients send without the array if there is one element.
    func listOrOne<Element>(
        _ name: String,
        _ body: (JSON) throws(WebError) -> Element
    ) throws(WebError) -> [Element]? {
        guard case .object? = self[name], let value = self[name] else { return try list(name, body) }
        return try Members.list([value], name, body)
    }

    static func list<Element>(
        _ values: [JSON],
        _ name: String,
        _ body: (JSON) throws(WebError) -> Element
    ) throws(WebError) -> [Element] {
        var list: [Element] = []
        list.reserveCapacity(values.count)
        for (index, value) in values.enumerated() {
            do throws(WebError) { list.append(try body(value)) } catch { throw error.within("[\(index)]").within(name) }
        }
        return list
    }

    func texts(_ name: String) throws(WebError) -> [String]? {
        try list(name, limit: 1_000) { value throws(WebError) in
            guard case .string(let text) = value else { throw .malformed("", "a text") }
            return text
        }
    }
}

extension WebError {
    static func missing(_ name: String) -> WebError { WebError(.badRequest, "is missing.").within(name) }
}
