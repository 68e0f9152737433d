/// The form of a field's name: 1 to 255 ASCII letters, digits and `_`, starting with a letter.
package enum FieldName {
    package static func validate(_ name: String) throws(KinfolkError) {
        guard isValid(name) else {
            throw KinfolkError(
                .invalidArgument,
                "A field's name has 1 to 255 ASCII letters, digits and _, and starts with a letter."
            )
        }
    }

    package static func isValid(_ name: String) -> Bool {
        let bytes = name.utf8
        return (1...255).contains(bytes.count) && bytes.first.map(isLetter) == true && bytes.allSatisfy(isAllowed)
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte) }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        isLetter(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "_")
    }
}
