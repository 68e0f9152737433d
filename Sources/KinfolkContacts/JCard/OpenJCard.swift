/// A card whose closing bracket has not been read.
struct OpenJCard {
    /// The number of open brackets when it began, including its own.
    let depth: Int
    /// The line where it begins.
    let line: Int
    /// The state of the book before the card.
    let mark: ContactBook.Mark
    /// The report before the card.
    let report: ContactImport
    let firstContact: Int
    var hasAddress = false
    private var formattedName = ContactLabel()
    /// Family, given and additional names, from `n`.
    private var names: [[UInt8]] = [[], [], []]

    init(depth: Int, line: Int, book: ContactBook, report: ContactImport) {
        self.depth = depth
        self.line = line
        self.report = report
        mark = book.mark
        firstContact = book.count
    }

    mutating func takeFormattedName(_ text: Span<UInt8>) {
        guard formattedName.isEmpty else { return }
        formattedName.compose { LabelText.append(text, to: &$0) }
    }

    /// Adds a value to a component of `n`, which may have several values.
    mutating func takeName(_ text: Span<UInt8>, component: Int) {
        guard names.indices.contains(component), names[component].count <= ContactBook.maximumLabelByteCount else {
            return
        }
        if !names[component].isEmpty, names[component].last != 0x20 { names[component].append(0x20) }
        LabelText.append(text, to: &names[component])
    }

    /// The label of its contacts: the formatted name, or else the given, additional and family names.
    var label: ContactLabel {
        if !formattedName.isEmpty { return formattedName }
        return ContactLabel { label in
            for component in [1, 2, 0] {
                if !label.isEmpty, label.last != 0x20 { label.append(0x20) }
                let name = names[component]
                LabelText.append(name.span, to: &label)
            }
        }
    }
}
