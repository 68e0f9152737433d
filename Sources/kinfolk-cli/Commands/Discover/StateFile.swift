import Kinfolk
import KinfolkFiles
import KinfolkStorage

/// The file that keeps the sync state. The command replaces it, so it must not hold anything else.
enum StateFile {
    /// A state has 16 bytes a contact, and a person may have asked about many books.
    private static let longest = 1 << 30

    /// The state; empty if the file is missing or empty.
    ///
    /// - Throws: `invalidArgument` if the file holds something else.
    static func read(_ path: FilePath, isPrivate: Bool) throws(KinfolkError) -> [UInt8] {
        let state: [UInt8]
        do { state = try File.read(path, limit: longest) } catch  where error.code == .unknownItem { return [] }
        guard state.isEmpty || StateMark.isOf(private: isPrivate, state) else {
            guard !StateMark.isOf(private: !isPrivate, state) else {
                throw KinfolkError(
                    .invalidArgument,
                    "\(path.shown) is the sync state of discoveries \(isPrivate ? "without" : "with") --private: name another file."
                )
            }
            throw isNone(path)
        }
        return state
    }

    private static func isNone(_ path: FilePath) -> KinfolkError {
        KinfolkError(.invalidArgument, "\(path.shown) is not a sync state: name another file, or remove it.")
    }
}
