/// What the library takes: on disk and in memory.
enum MemoryWork {
    private static let size = 1_000_000

    static func measure(_ setting: Setting) throws -> [Section] {
        let store = try PeopleStore.ready(size, in: setting.stores)
        let books = setting.isQuick ? 100 : 400
        let resident = try Child.bytes("store", store.folder.path, "\(size)", "\(books)")
        var rows = [
            Row(
                name: "resident after \(books) books",
                value: resident / 1e6,
                unit: .megabytes,
                goal: .atMost(24)
            )
        ]
        if let library = setting.library, let bytes = Machine.size(of: library) {
            rows.append(
                Row(name: "libkinfolk.so, stripped", value: Double(bytes) / 1e6, unit: .megabytes, goal: .atMost(8))
            )
        }
        return [Section(title: "Size; 1,000,000 people, small page cache", rows: rows)]
    }
}
