import Glibc
import Kinfolk

/// The Python package: a call compared with the Swift call, and the time to import the package.
enum PythonWork {
    static func measure(_ setting: Setting) throws -> [Section] {
        guard let python = setting.python, let library = setting.library else { return [] }
        setenv("PYTHONPATH", python.package, 1)
        setenv("KINFOLK_LIBRARY", library, 1)
        let importing = try Pair(.children, runs: setting.longRuns) { _ in
            _ = try Command.output(of: ["python3", "-c", "import kinfolk"])
        } floor: { _ in
            _ = try Command.output(of: ["python3", "-c", "pass"])
        }
        let rows = [
            Row(
                "1,000 contacts, over Swift",
                try matching(python, setting),
                in: .milliseconds,
                goal: .ratioAtMost(1.35)
            ),
            Row(
                name: "import kinfolk, over bare start",
                value: importing.difference * 1_000,
                unit: .milliseconds,
                goal: .atMost(60)
            ),
        ]
        return [Section(title: "Python", rows: rows)]
    }

    /// The floor is the Swift call here. Each run is a median of several, because each starts a Python process.
    private static func matching(_ python: Setting.PythonFiles, _ setting: Setting) throws -> Pair {
        let size = 1_000_000
        let store = try PeopleStore.ready(size, in: setting.stores)
        let account = try store.account()
        let session = try store.session(of: .plain)
        let book = try Book(BookText.make(0, of: size), session)
        let text = try setting.scratch.write(book.text, to: "book.txt")
        let script = [
            "python3", python.scripts + "/time_contacts.py", store.path, PeopleStore.container,
            Hexadecimal.text(account), text,
        ]
        var (products, floors): ([Double], [Double]) = ([], [])
        for _ in 0..<setting.longRuns {
            products.append(try Command.number(from: script))
            floors.append(
                median(try (0..<31).map { _ in try Stopwatch.processor.time { try book.discoverAgain(session) } })
            )
        }
        return Pair(products, floors)
    }
}
