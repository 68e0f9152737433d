import ArgumentParser

/// How much of a long list a command shows.
struct PageOptions: ParsableArguments {
    @Option(help: ArgumentHelp("How many to list.", valueName: "n"))
    var limit = 1_000

    func validate() throws {
        guard (1...100_000).contains(limit) else { throw ValidationError("--limit is 1 to 100000.") }
    }

    /// A page of the list from which `read` takes the given number of items, and the last item of the page if there is another page.
    func page<Item>(_ read: (_ limit: Int) throws -> [Item]) rethrows -> (items: [Item], last: Item?) {
        // One more than the limit: it tells whether there is another page.
        let items = try read(limit + 1)
        let page = Array(items.prefix(limit))
        return (page, items.count > limit ? page.last : nil)
    }
}
