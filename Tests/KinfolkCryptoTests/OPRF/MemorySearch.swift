import Glibc
import KinfolkCrypto

/// Searches for secrets in all writable memory of the process, except its own memory, in which the caller keeps them.
final class MemorySearch {
    private static let window = 1 << 20
    private let own: UnsafeMutableRawBufferPointer

    init() throws {
        // Between guard pages, so that the system does not merge it with adjacent memory in its list.
        let size = 4 * MemorySearch.window
        guard let memory = mmap(nil, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), memory != MAP_FAILED else {
            throw CryptoError.unavailable
        }
        own = UnsafeMutableRawBufferPointer(start: memory + MemorySearch.window, count: size / 2)
        mprotect(own.baseAddress, own.count, PROT_READ | PROT_WRITE)
    }

    deinit { if let start = own.baseAddress { munmap(start - MemorySearch.window, 2 * own.count) } }

    /// Room for secrets that is not searched.
    func room(_ count: Int, at offset: Int = 0) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: own[offset..<offset + count])
    }

    /// The number of places with the second half of a secret of 32 bytes. In memory that was freed without wiping, the allocator
    /// may have overwritten the first half.
    func places(of secret: UnsafeRawBufferPointer) throws -> Int {
        let needle = UnsafeRawBufferPointer(rebasing: secret[16..<32])
        let file = open("/proc/self/mem", O_RDONLY)
        guard file >= 0 else { throw CryptoError.unavailable }
        defer { close(file) }
        let view = UnsafeMutableRawBufferPointer(rebasing: own[MemorySearch.window...])
        var found = 0
        for (start, end) in try writable() {
            // Windows overlap, so that no secret is missed at a boundary.
            for offset in stride(from: start, to: end, by: view.count - needle.count + 1) {
                let length = pread(file, view.baseAddress, min(view.count, end - offset), offset)
                guard length > 0, var rest = view.baseAddress else { continue }
                let limit = rest + length
                while let hit = memchr(rest, Int32(needle[0]), limit - rest), limit - hit >= 16 {
                    if UnsafeRawBufferPointer(start: hit, count: needle.count).elementsEqual(needle) { found += 1 }
                    rest = hit + 1
                }
            }
        }
        return found
    }

    /// What `/proc/self/maps` lists as memory that can be written, or was locked read-only by libsodium.
    private func writable() throws -> [(Int, Int)] {
        guard let file = fopen("/proc/self/maps", "r") else { throw CryptoError.unavailable }
        defer { fclose(file) }
        var found: [(Int, Int)] = []
        var line = [CChar](repeating: 0, count: 8_192)
        while fgets(&line, Int32(line.count), file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let words = text.split(separator: " ")
            let bounds = words[0].split(separator: "-").compactMap { Int($0, radix: 16) }
            guard bounds.count == 2, words[1].hasPrefix("r"), words[4] == "0" || words[1].hasPrefix("rw"),
                bounds[0] != Int(bitPattern: own.baseAddress), bounds[1] - bounds[0] < 1 << 30
            else { continue }
            found.append((bounds[0], bounds[1]))
        }
        return found
    }
}
