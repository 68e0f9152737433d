import Glibc

/// The path of a file, as the file system has it: bytes, which need not be UTF-8.
///
/// A Swift `String` replaces what is not UTF-8 by U+FFFD, so that it would name another file.
package struct FilePath: Hashable, Sendable {
    /// The bytes, and a NUL that ends them: what functions of C take.
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

    /// Whether there can be a file of this name: a function of C would end the path at a NUL.
    package var isValid: Bool { !characters.isEmpty && !characters.contains(0) }

    /// The path as a text; nil if it is not UTF-8.
    package var text: String? { String(validating: bytes, as: UTF8.self) }

    /// The path in a message. What is not UTF-8 is shown as U+FFFD: never open a file by this.
    package var shown: String { String(decoding: bytes, as: UTF8.self) }

    package func hasPrefix(_ text: StaticString) -> Bool { characters.starts(with: FilePath.bytes(of: text)) }

    package func hasSuffix(_ text: StaticString) -> Bool {
        characters.reversed().starts(with: FilePath.bytes(of: text).reversed())
    }

    /// Without the last bytes.
    package func dropLast(_ count: Int) -> FilePath { FilePath(characters.dropLast(count)) }

    package static func + (path: FilePath, suffix: String) -> FilePath {
        FilePath(path.characters + suffix.utf8.map { CChar(bitPattern: $0) })
    }

    /// The folder that the file is in, with a slash at its end.
    package var folder: FilePath { slash.map { FilePath(characters[...$0]) } ?? FilePath("./") }

    /// The file of this name in the folder of another, written as the other is.
    package func named(asIfBeside other: FilePath) -> FilePath {
        let name = slash.map { characters[($0 + 1)...] } ?? characters
        return FilePath((other.slash.map { other.characters[...$0] } ?? []) + name)
    }

    /// How many bytes the name of the file has, without its folder.
    package var nameLength: Int { slash.map { characters.endIndex - $0 - 1 } ?? characters.count }

    /// The path from the root, whatever the working directory will be.
    package var absolute: FilePath {
        guard !hasPrefix("/"), let folder = getcwd(nil, 0) else { return self }
        defer { free(folder) }
        return FilePath(FilePath(cString: folder).characters + [CChar(bitPattern: UInt8(ascii: "/"))] + characters)
    }

    /// The file itself, wherever symbolic links lead: what belongs beside it is there. Also if it is not there yet.
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

    /// So many links Linux follows.
    private static let mostLinks = 40

    /// Where this symbolic link leads; nil if it is none.
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
