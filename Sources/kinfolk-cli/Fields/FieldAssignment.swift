import ArgumentParser
import Kinfolk

/// `FIELD=VALUE` or `FIELD:TYPE=VALUE` on the command line.
struct FieldAssignment: ExpressibleByArgument {
    let name: String
    private let type: FieldType?
    private let text: String

    init?(argument: String) {
        // A field's name contains neither "=" nor ":"; a value may contain both.
        guard let equals = argument.firstIndex(of: "=") else { return nil }
        let left = argument[..<equals]
        text = String(argument[argument.index(after: equals)...])
        guard let colon = left.firstIndex(of: ":") else {
            name = String(left)
            type = nil
            return
        }
        guard let type = FieldType(name: left[left.index(after: colon)...]) else { return nil }
        name = String(left[..<colon])
        self.type = type
    }

    /// The value, with the given type, or else with the type of the present value.
    func value(replacing present: FieldValue?) throws(KinfolkError) -> FieldValue {
        let type = type ?? present?.type ?? .string
        return try FieldText(text, of: name).value(of: type)
    }
}

extension FieldType {
    /// As people write and read it: `int64`, `string[]`.
    var name: String {
        let word = "\(self)"
        return word.hasSuffix("List") ? word.dropLast(4) + "[]" : word
    }

    init?(name: some StringProtocol) {
        guard let type = FieldType.allCases.first(where: { $0.name == name }) else { return nil }
        self = type
    }
}
