import ArgumentParser
import Kinfolk

/// `VALUE` or `:TYPE=VALUE` on the command line: the value of a placeholder in a predicate.
struct QueryArgument: ExpressibleByArgument {
    private let type: FieldType
    private let text: String

    init?(argument: String) {
        guard argument.hasPrefix(":") else {
            type = .string
            text = argument
            return
        }
        guard let equals = argument.firstIndex(of: "="),
            let type = FieldType(name: argument[argument.index(after: argument.startIndex)..<equals])
        else { return nil }
        self.type = type
        text = String(argument[argument.index(after: equals)...])
    }

    func value() throws(KinfolkError) -> FieldValue {
        try FieldText(text, of: "an argument of the predicate").value(of: type)
    }
}
