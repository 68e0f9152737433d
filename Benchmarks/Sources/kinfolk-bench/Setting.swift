/// The settings of a run.
struct Setting {
    /// Whether to finish in less than a minute, with smaller and fewer measurements.
    let isQuick: Bool
    /// The folder of stores that are kept for later runs.
    let stores: Folder
    /// A folder for the files of this run.
    let scratch: Folder
    /// The released library.
    let library: String?
    /// The script that runs a command with a PostgreSQL server.
    let postgresql: String?
    /// The Python package, and the scripts that measure it.
    let python: PythonFiles?
    /// The network service; nil if it was not built, because its benchmarks are not run.
    let service: ServicePrograms?

    /// The number of runs for a median.
    var runs: Int { isQuick ? 15 : 51 }
    /// The number of runs for work that takes long.
    var longRuns: Int { isQuick ? 5 : 15 }

    var configurations: [Configuration] { isQuick ? [.plain, .standard] : Configuration.all }

    struct ServicePrograms {
        /// `kinfolkd`.
        let server: String
        /// The command, which makes API tokens.
        let command: String
        /// Answers of Hummingbird that do nothing.
        let floor: String
    }

    struct PythonFiles {
        let package: String
        let scripts: String
    }
}
