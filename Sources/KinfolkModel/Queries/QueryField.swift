/// A field that a query names.
package enum QueryField: Sendable, Hashable {
    case system(SystemField)
    case named(String)

    /// The field with a name: a system field if it is one of its names. The name may be malformed.
    package init(_ name: String) { self = SystemField(named: name).map(QueryField.system) ?? .named(name) }

    /// The name; of a system field that of the property in Swift.
    package var name: String {
        switch self {
        case .system(let field): field.names.swift
        case .named(let name): name
        }
    }

    /// - Throws: ``QueryFault`` if the name is malformed.
    func validate() throws(QueryFault) {
        guard case .named(let name) = self, !FieldName.isValid(name) else { return }
        guard !name.utf8.contains(UInt8(ascii: ".")) else {
            throw QueryFault("a query names only fields of the record itself, and not those of other records.")
        }
        throw QueryFault(
            name.utf8.first == UInt8(ascii: "_")
                ? "names that begin with _ are reserved, and there is no system field of this name."
                : "a field's name has 1 to 255 ASCII letters, digits and _, and starts with a letter."
        )
    }
}
