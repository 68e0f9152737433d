import Glibc
import Kinfolk
import KinfolkFiles
import KinfolkStorage

/// Where a command writes bytes, a piece at a time: a file that appears when it is complete, or standard output.
final class ByteOutput {
    private let file: FileDraft?
    /// Whether standard output could not be written.
    private var isBroken = false

    /// - Parameters:
    ///   - path: The file; `-` or nil for standard output. A file with this name is replaced.
    ///   - mode: Who may use the file, before the mask of the process is applied.
    init(_ path: FilePath?, mode: mode_t) throws(KinfolkError) {
        guard let path, !path.isStandardOutput else {
            file = nil
            return
        }
        file = try FileDraft(output: path, mode: mode)
    }

    /// Writes everything with `body`, and completes the file.
    func write<Result>(_ body: () throws(KinfolkError) -> Result) throws -> Result {
        do {
            let result = try body()
            try file?.finish()
            return result
        } catch {
            throw isBroken ? Streams.OutputFailed() : error
        }
    }

    /// Writes a piece. Called by the `body` of ``write(_:)-(()->Result)``, which must end if this throws.
    func write(_ piece: UnsafeRawBufferPointer) throws(KinfolkError) {
        if let file { return try file.add(piece) }
        do { try Streams.write(piece, to: STDOUT_FILENO) } catch {
            isBroken = true
            throw .cancelled
        }
    }

    // MARK: Progress

    /// A bar for the progress; nil if the output goes to the same terminal.
    func bar(_ verb: String) -> ProgressBar? {
        file == nil && Terminal.output.isTerminal ? nil : ProgressBar(verb)
    }

    /// What to say if the work ends at Ctrl-C.
    func stopped(_ work: String) -> String {
        file == nil ? "\(work) was stopped: the output is not complete." : "\(work) was stopped, and no file was made."
    }
}
