/// A mail as the mail command reads it (RFC 5322, RFC 2045, RFC 2047).
struct MailMessage {
    let bytes: [UInt8]

    /// Nil if the address cannot stand in a header.
    init?(to address: String, from sender: MailAddress?, subject: String, text: String) {
        guard let recipient = MailAddress(address) else { return nil }
        var lines: [String] = []
        if let sender { lines.append("From: \(sender.text)") }
        lines += [
            "To: \(recipient.text)", "Subject: \(MailMessage.encodedWords(subject))", "MIME-Version: 1.0",
            "Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: base64",
            "Auto-Submitted: auto-generated", "",
        ]
        let body = Base64.text(Array(text.utf8))
        var rest = body[...]
        while !rest.isEmpty {
            lines.append(String(rest.prefix(76)))
            rest = rest.dropFirst(76)
        }
        bytes = Array((lines.joined(separator: "\n") + "\n").utf8)
    }

    /// The text as encoded words of at most 75 characters, each with whole characters.
    private static func encodedWords(_ text: String) -> String {
        var (words, current) = ([String](), [UInt8]())
        func word(_ bytes: [UInt8]) -> String { "=?utf-8?B?\(Base64.text(bytes))?=" }
        for scalar in text.unicodeScalars {
            let bytes = Array(String(scalar).utf8)
            if current.count + bytes.count > 45 {
                words.append(word(current))
                current = []
            }
            current += bytes
        }
        return (words + [word(current)]).joined(separator: "\n ")
    }
}
