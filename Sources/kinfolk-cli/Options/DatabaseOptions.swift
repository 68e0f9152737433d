import ArgumentParser
import Kinfolk

/// The database of a record: which one, and who uses it.
struct DatabaseOptions: ParsableArguments {
    @Option(help: "public: everybody can read it. private: only the person can.")
    var database: Scope

    @OptionGroup var session: SessionOptions

    enum Scope: String, ExpressibleByArgument, CaseIterable {
        case `public`, `private`
    }

    func database(in service: Service) throws(KinfolkError) -> Database {
        try session.session(in: service).database(database == .public ? .public : .private)
    }
}
