import ArgumentParser
import Kinfolk
import KinfolkJSON

struct SessionDiscoverable: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "discoverable",
        abstract: "Set whether others in the container can find the person, or show the person's decision.",
        discussion:
            "\"on\" needs --consent-text and --consent-version: what the person was shown, stored as the proof of consent."
    )

    enum Choice: String, ExpressibleByArgument, CaseIterable { case on, off, status }

    @Argument(help: "on, off or status.")
    var choice: Choice

    @OptionGroup var consent: ConsentOptions
    @OptionGroup var session: SessionOptions
    @OptionGroup var options: StoreOptions

    func validate() throws {
        guard choice != .on || consent.wording != nil else {
            throw ValidationError("\"on\" needs --consent-text and --consent-version.")
        }
    }

    func answer(from service: Service) throws -> Answer {
        let session = try session.session(in: service)
        switch choice {
        case .on: try session.setDiscoverability(.granted, wording: wording)
        case .off: try session.setDiscoverability(.denied, wording: wording)
        case .status: break
        }
        let discoverability = try session.discoverability()
        return Answer(["discoverability": .string("\(discoverability)")], line: "\(discoverability)")
    }

    private var wording: ConsentWording { consent.wording ?? ConsentWording("", version: "") }
}
