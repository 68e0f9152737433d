import KinfolkThreads

/// Texts and bytes that C borrows from a handle. Equal content is stored once, at one address, until the handle is freed.
struct TextArena: Sendable {
    private final class Loan: @unchecked Sendable {
        let memory: UnsafeMutablePointer<UInt8>

        init(memory: UnsafeMutablePointer<UInt8>) { self.memory = memory }

        deinit { memory.deallocate() }
    }

    private let loans = Lock<[[UInt8]: Loan]>([:])

    func text(_ text: String) -> UnsafePointer<CChar>? {
        UnsafeRawPointer(lend(Array(text.utf8))).assumingMemoryBound(to: CChar.self)
    }

    func bytes(_ bytes: [UInt8]) -> UnsafePointer<UInt8>? { UnsafePointer(lend(bytes)) }

    /// The bytes, followed by a NUL.
    private func lend(_ content: [UInt8]) -> UnsafeMutablePointer<UInt8> {
        loans.withLock { loans in
            if let known = loans[content] { return known }
            let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: content.count + 1)
            memory.initialize(from: content, count: content.count)
            memory[content.count] = 0
            let loan = Loan(memory: memory)
            loans[content] = loan
            return loan
        }.memory
    }
}
