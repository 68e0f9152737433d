/// What came of reading the changes of a reserved zone.
package enum ZoneReading: Sendable {
    case read
    /// Some were read, and there may be more.
    case more
    /// They cannot be read now.
    case failed
}
