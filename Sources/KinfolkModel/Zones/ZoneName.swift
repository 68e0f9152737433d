/// The names of zones: 1 to 255 printable ASCII characters. Names that begin with `_` are reserved.
package enum ZoneName {
    /// Throws unless `name` is the name of the default zone, or may be that of a custom zone.
    package static func validate(_ name: String) throws(KinfolkError) {
        if name != RecordZone.defaultName { try validate(custom: name) }
    }

    /// Throws unless `name` may be the name of a custom zone.
    package static func validate(custom name: String) throws(KinfolkError) {
        guard (1...255).contains(name.utf8.count), name.utf8.allSatisfy({ (0x20...0x7e).contains($0) }) else {
            throw KinfolkError(.invalidArgument, "A zone's name has 1 to 255 printable ASCII characters.")
        }
        guard name.utf8.first != UInt8(ascii: "_") else {
            throw KinfolkError(.invalidArgument, "Zone names that begin with _ are reserved.")
        }
    }
}
