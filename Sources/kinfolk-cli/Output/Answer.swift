import KinfolkJSON

/// The answer of a command: as JSON for programs, as lines and tables for people.
struct Answer {
    enum Block {
        /// One line. Control characters in it are escaped when it is shown.
        case line(String)
        case table(Table)
        case plot(Plot)
        /// A text made by Kinfolk itself, shown as it is.
        case document(String)
    }

    let json: JSON
    let blocks: [Block]

    init(_ json: JSON, _ blocks: [Block]) {
        self.json = json
        self.blocks = blocks
    }

    init(_ json: JSON, line: String) { self.init(json, [.line(line)]) }
    init(_ json: JSON, table: Table) { self.init(json, [.table(table)]) }

    func show(asJSON isJSON: Bool) throws {
        try Streams.write(isJSON ? json.document : text(on: .output), to: 1)
    }

    func text(on terminal: Terminal) -> String {
        blocks.map { block in
            switch block {
            case .line(let line): VisibleText(line).text + "\n"
            case .table(let table): table.text(on: terminal)
            case .plot(let plot): plot.text(on: terminal)
            case .document(let text): text
            }
        }.joined()
    }
}
