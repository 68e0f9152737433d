import CUnistring

/// The version of the tables of Unicode by which texts are folded and divided into words: that of libunistring.
package struct TextVersion: Sendable, Hashable, Comparable {
    package let rawValue: Int64

    package init(rawValue: Int64) { self.rawValue = rawValue }

    /// That of this process.
    package static let current = TextVersion(rawValue: Int64(cunistring_version()))
    /// No entries may be made: those of an older version are being removed.
    package static let none = TextVersion(rawValue: -1)

    package static func < (left: TextVersion, right: TextVersion) -> Bool { left.rawValue < right.rawValue }
}
