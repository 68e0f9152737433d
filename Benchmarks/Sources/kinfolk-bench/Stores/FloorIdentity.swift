import Floors

extension floor_identity {
    /// As the product writes it.
    var recordID: String { withUnsafeBytes(of: record) { "_" + Hexadecimal.text($0) } }

    /// The given name and the family name, one after the other.
    var fullName: String {
        withUnsafeBytes(of: name) { String(decoding: $0.prefix(name_length), as: UTF8.self) }
    }
}
