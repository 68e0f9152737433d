import Glibc
import Kinfolk
import KinfolkFiles
import KinfolkStorage

/// The file of an answer.
extension FileDraft {
    /// Created before the content is known, so that a place that cannot be written is detected first.
    ///
    /// - Parameter mode: Who may use the file, before the mask of the process is applied.
    convenience init(output path: FilePath, mode: mode_t = 0o600) throws(KinfolkError) {
        do throws(FileFailure) { try self.init(of: path, mode: mode) } catch { throw File.failure(error.number, path) }
    }

    /// Adds a part of the content.
    func add(_ part: UnsafeRawBufferPointer) throws(KinfolkError) {
        do throws(FileFailure) { try write(part) } catch { throw File.failure(error.number, destination) }
    }

    /// Puts the file in its place.
    ///
    /// - Parameter rest: The rest of the content.
    func finish(with rest: [UInt8] = []) throws(KinfolkError) {
        do throws(FileFailure) {
            try write(rest)
            try replace()
        } catch { throw File.failure(error.number, destination) }
    }
}
