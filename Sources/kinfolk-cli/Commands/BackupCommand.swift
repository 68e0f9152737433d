import ArgumentParser
import Glibc
import Kinfolk
import KinfolkFiles
import KinfolkJSON
import KinfolkStorage

struct BackupCommand: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy the store, as it is at one moment, while it is in use.",
        discussion: """
            The copy does not hold the key: keep the key in another place. Data that is erased from the store later stays in the \
            copy.

            To restore it, stop all programs that use the store, and run "kinfolk restore" with the copy. Do not put the copy in \
            the store's place by hand: the log of the old store, a file ending in -wal, may still be there.

            A store on a server is backed up with the server's own tools, or by "kinfolk copy" into a file.
            """
    )

    @Argument(help: ArgumentHelp("The file to make.", valueName: "file"), completion: .file(extensions: ["db"]))
    var file: FilePath

    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        let start = ContinuousClock.now
        var bar = ProgressBar("Copying")
        defer { bar.clear() }
        do {
            try service.backUp(to: file) { (pages, total) throws(KinfolkError) in
                try bar.show(
                    share: pages.share(of: total),
                    pages,
                    "pages",
                    orStop: "The backup was stopped, and no file was made. Run it again to make one."
                )
            }
        } catch {
            switch error.code {
            case .unknownItem: throw File.missingFolder(of: file) ?? error
            case .conflict: throw error.saying("There is a file \(file.shown) already: name another.")
            default: throw error
            }
        }
        let duration = ContinuousClock.now - start
        let key = options.key.path(forStore: options.path)
        let size = File.size(of: file)
        return Answer(
            [
                "backup": .path(file),
                "bytes": .count(size),
                "key_file": .path(key),
                "seconds": .double(duration.seconds),
            ],
            [
                .line("Copied the store to \(file.shown) (\(size.shownAsSize), \(duration.shown))."),
                .line(
                    key.map { "It opens with \($0.shown), which is not in it: keep a copy in another place." }
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
