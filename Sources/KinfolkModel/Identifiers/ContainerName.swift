/// The form of a container's name.
package enum ContainerName {
    package static func validate(_ name: String) throws(KinfolkError) {
        let labels = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard name.utf8.count <= 255, labels.count >= 2, labels.allSatisfy(isLabel) else {
            throw KinfolkError(
                .invalidArgument,
                "A container's name is in reverse DNS, like com.example.notes: two or more labels of ASCII letters, "
                    + "digits and inner hyphens, at most 255 bytes."
            )
        }
    }

    private static func isLabel(_ label: Substring.UTF8View) -> Bool {
        let hyphen = UInt8(ascii: "-")
        guard let first = label.first, let last = label.last, first != hyphen, last != hyphen else { return false }
        return label.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, hyphen: true
            default: false
            }
        }
    }
}
