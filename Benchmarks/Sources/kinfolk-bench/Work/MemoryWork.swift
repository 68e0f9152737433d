/// The size of the library on disk, and its memory after many searches.
enum MemoryWork {
    private static let size = 1_000_000

    static func measure(_ setting: Setting) throws -> [Section] {
        let store = try PeopleStore.ready(size, in: setting.stores)
        let books = setting.isQuick ? 100 : 400
        var rows = try setting.configurations.map { configuration in
            let resident = try Child.bytes("store", store.folder.path, "\(size)", "\(books)", configuration.name)
            return Row(
                name: "resident, \(configuration.name)",
                value: resident / 1e6,
                unit: .megabytes,
                goal: .atMost(configuration.memoryGoal)
            )
        }
        if let library = setting.library, let bytes = Machine.size(of: library) {
            rows.append(
                Row(name: "libkinfolk.so, stripped", value: Double(bytes) / 1e6, unit: .megabytes, goal: .atMost(12))
            )
        }
        return [Section(title: "Size; 1,000,000 people, after \(books) books", rows: rows)]
    }
}
