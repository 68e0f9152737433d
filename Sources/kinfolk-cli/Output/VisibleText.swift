import CUnistring

/// A text that is safe to show on a terminal: characters that would move the cursor, change colours, reverse the order or stay
/// invisible are written as `\u{1B}`. Names come from untrusted people.
struct VisibleText {
    let text: String
    /// The number of columns that it takes on a terminal.
    let width: Int

    init(_ raw: String) {
        var visible = String.UnicodeScalarView()
        for scalar in raw.unicodeScalars {
            if VisibleText.isShown(scalar) {
                visible.append(scalar)
            } else {
                visible.append(contentsOf: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}".unicodeScalars)
            }
        }
        self.init(shown: String(visible))
    }

    private init(shown: String) {
        text = shown
        width = shown.reduce(0) { $0 + VisibleText.width(of: $1) }
    }

    /// The text in at most `limit` columns: a longer text is cut, and ends in `…`.
    func cut(to limit: Int) -> VisibleText {
        guard width > limit else { return self }
        var kept = ""
        var room = limit - 1
        for character in text {
            room -= VisibleText.width(of: character)
            guard room >= 0 else { break }
            kept.append(character)
        }
        return VisibleText(shown: limit > 0 ? kept + "…" : "")
    }

    private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        if (0x20...0x7e).contains(scalar.value) { return true }
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return false
        // All of them are invisible, and some reverse the direction of the text after them. Persian and Hindi need the two joiners.
        case .format: return scalar == "\u{200C}" || scalar == "\u{200D}"
        default: return true
        }
    }

    private static func width(of character: Character) -> Int {
        var width = 0
        var isJoined = false
        for scalar in character.unicodeScalars {
            // An emoji that is joined to another one is shown as one character with it.
            if !isJoined || !scalar.properties.isEmojiPresentation {
                width += max(0, Int(uc_width(scalar.value, "UTF-8")))
            }
            isJoined = scalar == "\u{200D}"
        }
        return width
    }
}
