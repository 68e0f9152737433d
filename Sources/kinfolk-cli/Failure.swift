import ArgumentParser
import Glibc
import Kinfolk
import KinfolkJSON

/// The failure of a command, and how the process reports it.
struct Failure {
    private let error: any Error
    private let isJSON: Bool

    init(_ error: any Error, asJSON isJSON: Bool) {
        self.error = error
        self.isJSON = isJSON
    }

    func exit() -> Never {
        if let error = error as? KinfolkError, error.code == .cancelled { Interruption.endIfRequested(asJSON: isJSON) }
        switch error {
        case let error as KinfolkError:
            report("\(error.code)", reason(of: error), more: details(of: error))
            Glibc.exit(ExitStatus.of(error.code))
        case is Streams.OutputFailed:
            report("outputFailed", "Standard output could not be written.")
            Glibc.exit(ExitStatus.outputFailed)
        case let error as UsageError:
            if isJSON {
                report("usage", CarriedBytes.shown(error.message))
            } else {
                Streams.complain(CarriedBytes.shown(HelpText(error.page).text) + "\n")
            }
            Glibc.exit(ExitCode.validationFailure.rawValue)
        case _ where isJSON && KinfolkCommand.exitCode(for: error) == .validationFailure:
            report("usage", CarriedBytes.shown(KinfolkCommand.message(for: error)))
            Glibc.exit(ExitCode.validationFailure.rawValue)
        default: showHelp()
        }
    }

    /// A request for help or the version, or a mistake on the command line, which is shown with the usage.
    private func showHelp() -> Never {
        let status = KinfolkCommand.exitCode(for: error)
        let page = CarriedBytes.shown(HelpText(KinfolkCommand.fullMessage(for: error, columns: HelpText.width)).text)
        guard !page.isEmpty else { Glibc.exit(status.rawValue) }
        guard status.isSuccess else {
            Streams.complain(page + "\n")
            Glibc.exit(status.rawValue)
        }
        do { try Streams.write(page + "\n", to: STDOUT_FILENO) } catch { Failure(error, asJSON: isJSON).exit() }
        Glibc.exit(status.rawValue)
    }

    private func report(_ code: String, _ reason: String, more: [(String, JSON)] = []) {
        Failure.report(code, reason, more: more, asJSON: isJSON)
    }

    static func report(_ code: String, _ reason: String, more: [(String, JSON)] = [], asJSON isJSON: Bool) {
        guard isJSON else {
            let line = VisibleText(reason).text
            return Streams.complain(Terminal.errors.alarming("Error (\(code)):") + " \(line)\n")
        }
        Streams.complain(JSON.object([("error", .string(code)), ("reason", .string(reason))] + more).document)
    }

    /// In JSON the seconds to wait are in a field of their own.
    private func reason(of error: KinfolkError) -> String {
        guard !isJSON, let seconds = error.retryAfter else { return error.reason }
        return error.reason + " Try again in \(Int(seconds.rounded(.up)).counted("second", "seconds"))."
    }

    private func details(of error: KinfolkError) -> [(String, JSON)] {
        var details = [("retry_after", error.retryAfter.map(JSON.double) ?? .null)]
        if let record = error.serverRecord { details.append(("server_record", RecordView(record).json)) }
        return details
    }
}
