import KinfolkModel

/// What is reported to the program.
struct KeyValueReport {
    var changes: [KeyValueChange]
    /// The position of the device after these changes, if it is to be noted.
    var tokenToNote: ServerChangeToken?
}
