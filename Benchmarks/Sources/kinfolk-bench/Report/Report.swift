import Glibc

/// The outputs of a run. Each section is written as soon as it is measured.
struct Report {
    let json: File?
    let markdown: File?
    private(set) var rowCount = 0
    private(set) var missedCount = 0

    init(json: String?, markdown: String?) throws {
        self.json = try json.map(File.init)
        self.markdown = try markdown.map(File.init)
        print(Machine.description + "\n")
        print("  " + Table.header)
        self.markdown?.write("\(Machine.description). Measured \(Machine.date).\n\n" + Markdown.header)
    }

    mutating func add(_ section: Section) {
        guard !section.rows.isEmpty else { return }
        print(Table.text(section))
        fflush(nil)
        json?.write(JSONLines.text(section))
        markdown?.write(Markdown.text(section))
        rowCount += section.rows.count
        missedCount += section.rows.filter { $0.isMet == false }.count
    }
}
