import Foundation
import Glibc
import Kinfolk
import ServiceSupport
import TestSupport
import Testing

@Suite struct KeyTests {
    private let folder: TemporaryFolder
    private let path: String
    private let keyPath: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("kinfolk.db")
        keyPath = folder.file("kinfolk.key")
    }

    @Test func aNewStoreHasAKeyFileNextToItForItsOwnerOnly() throws {
        _ = try Service.open(path)
        #expect(try mode(of: keyPath) == 0o600)
        #expect(try mode(of: path) == 0o600)
        let text = try String(contentsOfFile: keyPath, encoding: .utf8)
        #expect(text.wholeMatch(of: /kinfolk-key-1 [0-9a-f]{64}\n/) != nil)
        #expect(try folder.names().allSatisfy { $0.hasPrefix("kinfolk.db") || $0 == "kinfolk.key" })
    }

    @Test func theKeyFileIsNamedAfterTheStore() throws {
        _ = try Service.open(folder.file("people"))
        #expect(try folder.names().contains("people.key"))
    }

    @Test func twoStoresHaveTwoKeys() throws {
        _ = try Service.open(path)
        _ = try Service.open(folder.file("second.db"))
        #expect(try bytes(of: keyPath) != bytes(of: folder.file("second.key")))
    }

    @Test(arguments: [0o644, 0o640, 0o604, 0o620, 0o602, 0o610, 0o777])
    func aKeyFileThatOthersMayUseIsRefused(mode: Int) throws {
        _ = try Service.open(path)
        #expect(chmod(keyPath, mode_t(mode)) == 0)
        expect(.keyMismatch) { try Service.open(path) }
        #expect(chmod(keyPath, 0o400) == 0)
        _ = try Service.open(path)
    }

    @Test func noNewKeyIsMadeForAnExistingStore() throws {
        _ = try Service.open(path)
        try FileManager.default.removeItem(atPath: keyPath)
        expect(.keyMismatch) { try Service.open(path) }
        #expect(!FileManager.default.fileExists(atPath: keyPath))
    }

    @Test func anotherStoresKeyIsRefused() throws {
        let id = try Service.open(path).createAccount().id
        _ = try Service.open(folder.file("second.db"))
        expect(.keyMismatch) { try Service.open(path, key: .file(folder.file("second.key"))) }
        expect(.keyMismatch) { try Service.open(path, key: .bytes([UInt8](repeating: 0, count: 32))) }
        _ = try Service.open(path).account(id)
    }

    @Test func aKeyOfTheHostIsNotStored() throws {
        let key = (0..<32).map { _ in UInt8.random(in: 0...255) }
        let id = try Service.open(path, key: .bytes(key)).createAccount().id
        #expect(try folder.allBytes().range(of: Data(key)) == nil)
        #expect(try !folder.names().contains("kinfolk.key"))
        #expect(try Service.open(path, key: .bytes(key)).account(id).id == id)
    }

    @Test(arguments: [0, 31, 33, 64]) func aKeyOfTheHostHas32Bytes(length: Int) throws {
        expect(.invalidArgument) { try Service.open(path, key: .bytes([UInt8](repeating: 1, count: length))) }
        #expect(try folder.names().isEmpty)
    }

    private static let digits = String(repeating: "0a", count: 32)

    @Test(arguments: [
        "", "\n", "kinfolk-key-1 ", digits, "kinfolk-key-2 \(digits)\n", "kinfolk-key-1 \(digits.dropLast())\n",
        "kinfolk-key-1 \(digits)0\n", "kinfolk-key-1 \(digits.dropLast())g\n", " kinfolk-key-1 \(digits)\n",
        "kinfolk-key-1 \(digits)\nkinfolk-key-1 \(digits)\n", "kinfolk-key-1 \(digits)\n\nmore",
        "kinfolk-key-1 \(digits)\r\nmore", "kinfolk-key-1 \(digits)\u{0}",
    ])
    func aMalformedKeyFileIsRefusedAndNothingIsMade(content: String) throws {
        try Data(content.utf8).write(to: URL(fileURLWithPath: keyPath))
        #expect(chmod(keyPath, 0o600) == 0)
        expect(.keyMismatch) { try Service.open(path) }
        #expect(try folder.names() == ["kinfolk.key"])
    }

    @Test(arguments: ["", "\n", "\r\n"]) func aKeyFileMayEndInALineEndOrNot(end: String) throws {
        try Data("kinfolk-key-1 \(KeyTests.digits)\(end)".utf8).write(to: URL(fileURLWithPath: keyPath))
        #expect(chmod(keyPath, 0o600) == 0)
        _ = try Service.open(path)
        _ = try Service.open(path, key: .bytes([UInt8](repeating: 0x0a, count: 32)))
    }

    @Test(.timeLimit(.minutes(10))) func aKeyFileThatIsAFolderIsRefused() throws {
        #expect(mkfifo(keyPath, 0o600) == 0)
        expect(.keyMismatch) { try Service.open(path) }
        expect(.keyMismatch) { try Service.open(path, key: .file(folder.path)) }
    }

    @Test(arguments: ["", "a\u{0}b"]) func aKeyPathWithoutAFileNameIsRefused(keyPath: String) {
        expect(.invalidArgument) { try Service.open(path, key: .file(keyPath)) }
    }

    @Test func aKeyFileInAMissingFolderIsUnknown() throws {
        expect(.unknownItem) { try Service.open(path, key: .file(folder.file("none/kinfolk.key"))) }
        #expect(try folder.names().isEmpty)
    }
}
