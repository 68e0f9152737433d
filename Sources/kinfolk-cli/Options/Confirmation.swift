import ArgumentParser
import Glibc

/// Asks before something is lost for good.
struct Confirmation: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Do not ask.")
    var yes = false

    func validate() throws {
        guard yes || isatty(STDIN_FILENO) == 1 else {
            throw ValidationError("There is no terminal to ask on: give --yes.")
        }
    }

    /// Ends the process unless the answer is yes.
    func ask(_ question: String) throws {
        guard !yes else { return }
        Streams.complain("\(VisibleText(question).text) [y/N] ")
        guard let answer = readLine(), ["y", "yes"].contains(answer.lowercased()) else {
            Streams.complain("Nothing was changed.\n")
            throw ExitCode(ExitStatus.notConfirmed)
        }
    }
}
