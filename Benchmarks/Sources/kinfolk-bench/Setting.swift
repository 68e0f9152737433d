/// How a run measures, and where.
struct Setting {
    /// In under a minute: smaller and fewer.
    let isQuick: Bool
    /// Where stores that were made for an earlier run are kept.
    let stores: Folder
    /// Files of this run alone, beside them.
    let scratch: Folder
    /// The library as it is released.
    let library: String?
    /// The script that runs a command with a PostgreSQL server.
    let postgresql: String?
    /// The Python package, and the scripts that measure it.
    let python: PythonFiles?

    /// How many runs a median is of.
    var runs: Int { isQuick ? 15 : 51 }
    /// The same for what takes long.
    var longRuns: Int { isQuick ? 5 : 15 }

    var configurations: [Configuration] { isQuick ? [.plain, .standard] : Configuration.all }

    struct PythonFiles {
        let package: String
        let scripts: String
    }
}
