import Glibc
import Kinfolk

/// Reads a passphrase: from the terminal, which does not show it, or from the next line of standard input.
enum PassphrasePrompt {
    /// The passphrase of an existing store.
    static func present() throws(KinfolkError) -> KeySource { try line("Passphrase: ").key }

    /// A new passphrase. On a terminal it is typed twice, because the terminal does not show it.
    static func new() throws(KinfolkError) -> KeySource {
        let first = try line("New passphrase: ")
        if isTerminal {
            guard try line("New passphrase again: ").isSame(as: first) else {
                throw KinfolkError(.invalidArgument, "The two passphrases differ. Nothing was changed.")
            }
        }
        return first.key
    }

    private static var isTerminal: Bool { isatty(STDIN_FILENO) == 1 }

    private static func line(_ question: String) throws(KinfolkError) -> SecretLine {
        let line = isTerminal ? try HiddenTerminal.read(question) : try SecretLine(from: STDIN_FILENO)
        guard let line, !line.isEmpty else {
            throw KinfolkError(.invalidArgument, "No passphrase was given. Nothing was changed.")
        }
        return line
    }
}
