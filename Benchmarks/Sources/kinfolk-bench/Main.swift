import Glibc
import Kinfolk

/// Measures what Kinfolk does most, on stores that it makes in a folder of its own and removes at the end.
///
///     kinfolk-bench [people ...] [--library FILE]
@main
struct Main {
    static func main() throws {
        var sizes: [Int] = []
        var library: String?
        var arguments = CommandLine.arguments.dropFirst()
        while let argument = arguments.popFirst() {
            if argument == "--library" { library = arguments.popFirst() } else if let size = Int(argument) { sizes.append(size) }
        }
        if sizes.isEmpty { sizes = [10_000, 1_000_000] }

        let folder = try Folder()
        defer { folder.remove() }
        print("\(Machine.description)\n")
        var table = Table()
        table.add(measureCanonicalEmail())
        table.add(try measureVCard(in: folder))
        for size in sizes {
            table.add(try measureDirectory(of: size, in: folder))
        }
        table.add(try measureSignIn(in: folder))
        if let library, let size = Machine.size(of: library) {
            table.add([Row("libkinfolk.so, stripped", Double(size) / 1_000_000, "MB")])
        }
        table.print()
    }
}
