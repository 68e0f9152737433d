import Glibc

/// The path of a file as bytes, which need not be UTF-8.
///
/// A Swift `String` replaces invalid UTF-8 by U+FFFD, so it could name a different file.
package struct FilePath: Hashable, Sendable {
    /// The bytes and a terminating NUL, as C functions take them.
    package let cString: [CChar]

    package init(_ text: String) { cString = Array(text.utf8CString) }

    package init(bytes: some Sequence<UInt8>) { cString = bytes.map { CChar(bitPattern: $0) } + [0] }

    package init(cString: UnsafePointer<CChar>) {
        self.cString = Array(UnsafeBufferPointer(start: cString, count: strlen(cString) + 1))
    }

    private init(_ bytes: ArraySlice<CChar>) { cString = bytes + [0] }

    private var characters: ArraySlice<CChar> { cString.dropLast() }

    package var bytes: [UInt8] { characters.map { UInt8(bitPattern: $0) } }

    package var isEmpty: Bool { characters.isEmpty }

    /// Whether a file can have this path. C functions would end the path at a NUL.
    package var isValid: Bool { !characters.isEmpty && !characters.contains(0) }

    /// The path as a text; nil if it is not UTF-8.
    package var text: String? { String(validating: bytes, as: UTF8.self) }

    /// The path for messages. Invalid UTF-8 is shown as U+FFFD, so never use this to open a file.
    package var shown: String { String(decoding: bytes, as: UTF8.self) }

    package func hasPrefix(_ text: StaticString) -> Bool { characters.starts(with: FilePath.bytes(of: text)) }

    package func hasSuffix(_ text: StaticString) -> Bool {
        characters.reversed().starts(with: FilePath.bytes(of: text).reversed())
    }

    /// The path without its last `count` bytes.
    package func dropLast(_ count: Int) -> FilePath { FilePath(characters.dropLast(count)) }

    package static func + (path: FilePath, suffix: String) -> FilePath {
        FilePath(path.characters + suffix.utf8.map { CChar(bitPattern: $0) })
    }

    package static func + (folder: FilePath, name: FilePath) -> FilePath {
        FilePath(folder.characters + name.characters)
    }

    /// The folder that contains the file, with a slash at its end.
    package var folder: FilePath { slash.map { FilePath(characters[...$0]) } ?? FilePath("./") }

    /// The name of the file in its folder. Empty if the path ends with a slash.
    package var name: FilePath { slash.map { FilePath(characters[($0 + 1)...]) } ?? self }

    /// The file name of this path in the folder of another path, as that path spells the folder.
    package func named(asIfBeside other: FilePath) -> FilePath {
        FilePath((other.slash.map { other.characters[...$0] } ?? []) + name.characters)
    }

    /// The length of the file's name in bytes, without its folder.
    package var nameLength: Int { name.characters.count }

    /// The absolute path, independent of later changes of the working directory.
    package var absolute: FilePath {
        guard !hasPrefix("/"), let folder = getcwd(nil, 0) else { return self }
        defer { free(folder) }
        return FilePath(FilePath(cString: folder).characters + [CChar(bitPattern: UInt8(ascii: "/"))] + characters)
    }

    /// The path of the file itself, with symbolic links followed; accompanying files belong next to it. The file need not exist.
    package var followed: FilePath {
        if let target = realpath(cString, nil) {
            defer { free(target) }
            return FilePath(cString: target)
        }
        var path = self
        for _ in 0..<FilePath.mostLinks {
            guard let target = path.target else { return path }
            path = target
        }
        return path
    }

    /// The number of links that Linux follows.
    private static let mostLinks = 40

    /// The target of this symbolic link; nil if it is not a link.
    private var target: FilePath? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = readlink(cString, &buffer, buffer.count - 1)
        guard count > 0, count < buffer.count - 1 else { return nil }
        let target = FilePath(buffer[..<count])
        return target.hasPrefix("/") ? target : FilePath(folder.characters + target.characters)
    }

    private var slash: Int? { characters.lastIndex(of: CChar(bitPattern: UInt8(ascii: "/"))) }

    private static func bytes(of text: StaticString) -> [CChar] {
        text.withUTF8Buffer { $0.map { CChar(bitPattern: $0) } }
    }
}
