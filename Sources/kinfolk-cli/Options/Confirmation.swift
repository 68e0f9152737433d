import ArgumentParser
import Glibc

/// Asks before something is lost for good.
struct Confirmation: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Do not ask.")
    var yes = false

    /// Ends the process unless the answer is yes. Without a terminal to ask on, that is a usage error.
    func ask(_ question: String) throws {
        guard !yes else { return }
        guard isatty(STDIN_FILENO) == 1 else { throw ValidationError("There is no terminal to ask on: give --yes.") }
        Streams.complain("\(VisibleText(question).text) [y/N] ")
        guard let answer = readLine(), ["y", "yes"].contains(answer.lowercased()) else {
            Streams.complain("Nothing was changed.\n")
            throw ExitCode(ExitStatus.notConfirmed)
        }
    }
}
