import Kinfolk
import KinfolkFiles
import KinfolkStorage

/// The commands that put the key of a restored store in the place where the other commands look for it.
///
/// A backup that was made before a rotation opens with the old key only, which the rotation kept under another name.
struct KeyMove {
    private let key: FilePath
    private let usual: FilePath

    /// The commands for the key that these options name. Nil if the key is already in its usual place, or not in a file.
    init?(_ options: StoreOptions) {
        guard let key = options.key.givenFile, let usual = options.key.usualPath(forStore: options.path),
            !File.isSame(key, usual)
        else { return nil }
        (self.key, self.usual) = (key, usual)
    }

    /// One command a line. The key that was in the usual place is kept, because newer backups need it.
    var commands: [String] {
        let other = (1...).lazy.map { usual + ".\($0)" }.first { !File.exists($0) && !File.exists($0 + ".counter") }
        var moves: [(FilePath, FilePath)] = []
        if let other { moves += [(usual, other), (usual + ".counter", other + ".counter")] }
        moves += [(key, usual), (key + ".counter", usual + ".counter")]
        return moves.filter { File.exists($0.0) }.map { "mv \($0.0.shown) \($0.1.shown)" }
    }

    var blocks: [Answer.Block] {
        [.line("To open it without --key-file, stop all programs that use it, and move the key there:")]
            + commands.map { .line("  \($0)") }
    }
}
