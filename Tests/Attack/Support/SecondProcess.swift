import Foundation
import Glibc

/// A second process of this program, which plays one part of an experiment.
final class SecondProcess: @unchecked Sendable {
    static let flag = "--second-process"

    private let process = Process()
    private let output = Pipe()

    init(_ part: String, _ arguments: String...) throws {
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = [SecondProcess.flag, part] + arguments
        process.standardOutput = output
        try process.run()
    }

    deinit { if process.isRunning { kill() } }

    /// The next line that it writes; nil when it has ended.
    func line() -> String? {
        var line = Data()
        while let byte = try? output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty {
            if byte.first == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
        return nil
    }

    /// Waits for its end, and returns the lines that were not read.
    func finish() throws -> [String] {
        var lines: [String] = []
        while let line = line() { lines.append(line) }
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw ExperimentFailure("the second process failed") }
        return lines
    }

    /// Kills it with SIGKILL.
    func kill() {
        Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// The main function of the second process. Returns its exit status.
    static func play(_ arguments: ArraySlice<String>) -> Int32 {
        guard let part = arguments.first else { return 64 }
        let rest = Array(arguments.dropFirst())
        do {
            switch part {
            case Asker.part: try Asker.play(rest)
            case CodeGuesser.part: try CodeGuesser.play(rest)
            case RaceParticipant.part: try RaceParticipant.play(rest)
            case PointAsker.part: try PointAsker.play(rest)
            case RoleWriter.part: try RoleWriter.play(rest)
            case AssetWriter.part: try AssetWriter.play(rest)
            default: return 64
            }
            return 0
        } catch {
            FileHandle.standardError.write(Data("\(part): \(error)\n".utf8))
            return 70
        }
    }
}
