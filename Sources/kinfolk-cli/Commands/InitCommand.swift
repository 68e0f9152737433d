import ArgumentParser
import Kinfolk

struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Make a store and its key.",
        discussion: """
            The key file lies beside the store (kinfolk.db and kinfolk.key, mode 0600). Keep a copy of it apart from those of \
            the store.
            """
    )

    @OptionGroup var options: StoreOptions

    func run() throws {
        guard try StoreFile.isMissingOrEmpty(options.path) else {
            throw KinfolkError(.conflict, "There is a file at \(options.path) already.")
        }
        _ = try Service.open(options.path)
        let key = KeySource.besideStore.path(forStore: options.path) ?? ""
        try options.show(
            Answer(
                ["store": .string(options.path), "key": .string(key)],
                [.line("Made the store \(options.path)."), .line("Its key is \(key): keep a copy in another place.")]
            )
        )
    }
}
