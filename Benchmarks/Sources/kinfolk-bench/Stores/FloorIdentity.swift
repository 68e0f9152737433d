import Floors

extension floor_identity {
    /// The ID in the product's form.
    var recordID: String { withUnsafeBytes(of: record) { "_" + Hexadecimal.text($0) } }

    /// The given name, followed by the family name.
    var fullName: String {
        withUnsafeBytes(of: name) { String(decoding: $0.prefix(name_length), as: UTF8.self) }
    }
}
