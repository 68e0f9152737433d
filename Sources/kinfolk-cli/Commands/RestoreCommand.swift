import ArgumentParser
import Kinfolk

struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Accept an older state of a store, after a backup was put back.",
        discussion: """
            A count of changes is kept in the store, and beside its key in a file ending in .counter. A store with a lower count \
            than the one beside the key is refused: somebody may have put back an older file, in which people are there who \
            were erased, and permits that are spent.

            To restore a backup, end all that use the store, put the backup in its place, remove the files ending in -wal and \
            -shm that lie beside it, and run this with --accept-older. It gives the store a new count, and changes nothing \
            else.
            """
    )

    @Flag(help: "Use the store as it is now, although it is older than it was.")
    var acceptOlder = false

    @OptionGroup var options: StoreOptions

    func validate() throws {
        guard acceptOlder else {
            throw ValidationError("Give --accept-older, if an older state of the store is to be used.")
        }
    }

    func run() throws {
        let wasOlder: Bool
        do throws(KinfolkError) {
            wasOlder = try Service.acceptOlder(options.path, key: options.key.present())
        } catch {
            throw error.code == .keyMismatch ? error.advising(options.key.advice(forStore: options.path)) : error
        }
        let store = options.shownPath
        try options.show(
            Answer(
                ["store": .string(store), "was_older": .boolean(wasOlder)],
                [
                    .line(
                        wasOlder
                            ? "Accepted \(store) as it is." : "\(store) is no older than it was: nothing was changed."
                    )
                ]
            )
        )
    }
}
