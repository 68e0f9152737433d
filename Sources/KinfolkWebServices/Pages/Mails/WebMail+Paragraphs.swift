extension WebMail {
    /// A mail whose text has an empty line between its paragraphs.
    init(address: String, subject: String, paragraphs: [String]) {
        self.init(address: address, subject: subject, text: paragraphs.joined(separator: "\n\n") + "\n")
    }
}
