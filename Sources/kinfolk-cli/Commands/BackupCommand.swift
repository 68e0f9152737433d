import ArgumentParser
import Glibc
import Kinfolk

struct BackupCommand: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy the store, as it is at one moment, while it is in use.",
        discussion: """
            The key is not in the copy: keep it in another place. What is erased later stays in the copy.

            To restore it, end all that use the store, put the copy in its place, remove the files ending in -wal and -shm \
            that lie beside it, and run "kinfolk restore --accept-older".

            A store on a server is backed up with the server's own tools, or by "kinfolk copy" into a file.
            """
    )

    @Argument(help: ArgumentHelp("The file to make.", valueName: "file"), completion: .file(extensions: ["db"]))
    var file: String

    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        let start = ContinuousClock.now
        var bar = ProgressBar("Copying")
        defer { bar.clear() }
        try service.backUp(to: file) { pages, total in
            bar.show(share: Double(pages) / Double(max(total, 1)), pages, "pages")
        }
        let duration = ContinuousClock.now - start
        let key = options.key.path(forStore: options.path)
        let size = File.size(of: file)
        return Answer(
            [
                "backup": .string(file),
                "bytes": .count(size),
                "key_file": key.map(JSON.string) ?? .null,
                "seconds": .double(duration.seconds),
            ],
            [
                .line("Copied the store to \(file) (\(size.shownAsSize), \(duration.shown))."),
                .line(
                    key.map { "It opens with \($0), which is not in it: keep a copy in another place." }
                        ?? "It opens with the passphrase."
                ),
            ]
        )
    }
}

extension Int {
    /// `812 kB`, `3.4 MB`.
    fileprivate var shownAsSize: String {
        let kilobytes = (self + 999) / 1_000
        return kilobytes < 1_000 ? "\(kilobytes) kB" : "\(kilobytes / 1_000).\(kilobytes / 100 % 10) MB"
    }
}
