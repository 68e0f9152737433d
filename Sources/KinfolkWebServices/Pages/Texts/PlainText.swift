/// Texts from outside, made fit for one line of a page, a title or a mail.
enum PlainText {
    /// A text without line breaks, controls and invisible characters, cut to `limit` scalars.
    ///
    /// The invisible characters include those that change the direction of what follows, with which a name could rearrange the
    /// sentence around it. The two joiners stay, because Persian, Hindi and emoji need them.
    static func line(_ text: String, limit: Int = 200) -> String {
        var scalars = String.UnicodeScalarView()
        var count = 0
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator, .spaceSeparator:
                guard let last = scalars.last, last != " " else { continue }
                scalars.append(" ")
            case .format where scalar != "\u{200C}" && scalar != "\u{200D}": continue
            default: scalars.append(scalar)
            }
            count += 1
            if count > limit {
                scalars.removeLast()
                scalars.append("…")
                break
            }
        }
        while scalars.last == " " { scalars.removeLast() }
        return String(scalars)
    }

    /// The lines of a longer text that are not empty.
    static func paragraphs(_ text: String) -> [String] {
        text.split(whereSeparator: \.isNewline).map(String.init).filter { line in
            line.unicodeScalars.contains { !$0.properties.isWhitespace }
        }
    }
}
