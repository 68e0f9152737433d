import Foundation
import Glibc

/// A second process that runs the program `kinfolk-probe`, to do something to a store.
package final class Probe: @unchecked Sendable {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    /// Starts the process with a command and its arguments.
    package init(_ arguments: String...) throws {
        process.executableURL = try Probe.executable()
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    deinit { if process.isRunning { kill() } }

    /// The next line that it writes; nil when it has ended.
    package func line() -> String? {
        var line = Data()
        while let byte = try? output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty {
            if byte.first == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
        return nil
    }

    /// Writes a line to the process.
    package func tell(_ line: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
    }

    /// Lets the process continue, if it waits for that.
    package func release() { try? input.fileHandleForWriting.close() }

    /// Waits for its end, and returns the lines that were not read.
    package func finish() -> [String] {
        release()
        var lines: [String] = []
        while let line = line() { lines.append(line) }
        process.waitUntilExit()
        return lines
    }

    package var exitStatus: Int32 {
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Kills it with SIGKILL.
    package func kill() {
        Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// The program is in the folder of the program that runs the tests.
    private static func executable() throws -> URL {
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent("kinfolk-probe")
    }
}
