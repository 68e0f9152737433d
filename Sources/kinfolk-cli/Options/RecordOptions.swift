import ArgumentParser
import Kinfolk

/// Which of a person's two user records.
struct RecordOptions: ParsableArguments {
    @Flag(name: .customLong("private"), help: "The record in the person's private database, not the public one.")
    var isPrivate = false

    var database: DatabaseScope { isPrivate ? .private : .public }
}
