import Foundation
import KinfolkFiles
import KinfolkStorage
import ServiceSupport
import TestSupport
import Testing

@testable import Kinfolk

/// Paths that are not UTF-8: of stores, keys, copies and files to read.
@Suite(.enabled(if: TemporaryFolder.hasFiles)) struct PathBytesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A name in the folder that contains a byte of Latin-1.
    private func latin(_ suffix: String) -> FilePath {
        FilePath(bytes: Array(folder.file("caf").utf8) + [0xE9]) + suffix
    }

    private func write(_ text: String, to path: FilePath) throws {
        let file = try #require(fopen(path.cString, "w"))
        fputs(text, file)
        fclose(file)
    }

    private func names() throws -> Set<[UInt8]> {
        let stream = try #require(opendir(folder.path))
        defer { closedir(stream) }
        var names: Set<[UInt8]> = []
        while let entry = readdir(stream) {
            _ = withUnsafeBytes(of: &entry.pointee.d_name) { names.insert(Array($0.prefix { $0 != 0 })) }
        }
        return names.subtracting([Array(".".utf8), Array("..".utf8)])
    }

    @Test func everyFileHasTheBytesOfItsPath() throws {
        let wording = TestService.wording
        try write("given_name,email,consent\nAda,ada@example.com,yes\n", to: latin(".csv"))
        try write("ada@example.com\n", to: latin(".txt"))
        var service: Service? = try Service.open(latin(".db"), key: .besideStore)
        if let service {
            let container = try service.createContainer("com.example.notes")
            let people = try service.importPeople(fromFile: latin(".csv"), into: container, wording: wording)
            #expect(people.created == 1)
            var book = ContactBook()
            #expect(try book.add(contentsOfFile: latin(".txt")).added == 1)
            let grace = try container.session(
                for: service.createAccount(name: PersonName(), emails: ["grace@example.org"], verified: true)
            )
            #expect(try grace.discover(book).identities.count == 1)
            try service.backUp(to: latin(".backup")) { _, _ in }
            _ = try service.copy(to: latin(".copy")) { _ in }
            #expect(try service.rotateKeys().oldKey == latin(".key.1"))
        }
        service = nil
        let names = try names()
        let suffixes = [".csv", ".txt", ".db", ".key", ".key.1", ".key.counter", ".backup", ".copy"]
        #expect(names.isSuperset(of: suffixes.map { Array("caf".utf8) + [0xE9] + Array($0.utf8) }))
        #expect(!names.contains { String(decoding: $0, as: UTF8.self) == String(validating: $0, as: UTF8.self) })
        // A key file in another place, and the copies, which open with the keys of the time at which they were made.
        _ = try Service.open(latin(".db"), key: .file(latin(".key")), existingOnly: true)
        _ = try Service.open(latin(".backup"), key: .file(latin(".key.1")), existingOnly: true)
        _ = try Service.open(latin(".copy"), key: .file(latin(".key.1")), existingOnly: true)
    }

    @Test func theAddressOfAServerMustBeUTF8() {
        let address = FilePath(bytes: Array("postgresql://localhost/caf".utf8) + [0xE9])
        let error = #expect(throws: KinfolkError.self) {
            try Service.open(address, key: .bytes([UInt8](repeating: 1, count: 32)))
        }
        #expect(error?.code == .invalidArgument)
    }
}
