import ArgumentParser
import Kinfolk

/// The wording that people were shown when they decided. It is stored as the proof of consent.
struct ConsentOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The text that the person was shown.", valueName: "text"))
    var consentText: String?

    @Option(help: ArgumentHelp("The application's name for that text, for example 2026-01.", valueName: "version"))
    var consentVersion: String?

    var wording: ConsentWording? {
        guard let consentText, let consentVersion else { return nil }
        return ConsentWording(consentText, version: consentVersion)
    }

    func validate() throws {
        guard (consentText == nil) == (consentVersion == nil) else {
            throw ValidationError("--consent-text and --consent-version go together.")
        }
    }
}
