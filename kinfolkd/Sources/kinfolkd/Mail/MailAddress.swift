/// An e-mail address that can stand in a header of a mail: no other header, recipient or option can be hidden in it.
struct MailAddress {
    let text: String

    init?(_ text: String) {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        let forbidden = "\"(),:;<>[\\]"
        guard text.utf8.count <= 254, parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), text.first != "-",
            text.unicodeScalars.allSatisfy({ !forbidden.unicodeScalars.contains($0) && MailAddress.isVisible($0) })
        else { return nil }
        self.text = text
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .surrogate, .privateUse,
            .unassigned:
            false
        default: true
        }
    }
}
