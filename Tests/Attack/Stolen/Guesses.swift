import Kinfolk

/// Everything that a thief with a dictionary of addresses would search for.
struct Guesses {
    /// An address of the store, and the values that a thief may try as its salt or key.
    struct Known {
        let spelling: String
        let canonical: String
        let salts: [[UInt8]]
    }

    /// The first label of the dictionary's addresses, and of texts that are not hashed.
    static let otherLabels = 1_000_000
    static let textLabels = 2_000_000

    let known: [Known]
    let others: [String]
    /// Names, wordings, fields, codes.
    let texts: [String]

    func forEach(_ body: ([UInt8], Int) -> Void) {
        for (label, address) in known.enumerated() {
            hashes(of: [address.spelling, address.canonical, address.canonical.uppercased()], label, body)
            for text in Set([address.spelling, address.canonical]) {
                Encodings.forEach(of: text) { body($0, label) }
            }
            for salt in address.salts { salted(address.canonical, salt, label, body) }
        }
        for (offset, address) in others.enumerated() {
            hashes(of: [address, address.uppercased()], Guesses.otherLabels + offset, body)
        }
        for (offset, text) in texts.enumerated() {
            let label = Guesses.textLabels + offset
            hashes(of: [text], label, body)
            Encodings.forEach(of: text) { body($0, label) }
        }
    }

    /// The hashes of texts and of their contact hashes, in each encoding.
    private func hashes(of texts: [String], _ label: Int, _ body: ([UInt8], Int) -> Void) {
        for text in Set(texts) {
            let bytes = Array(text.utf8)
            let contactHash = Digest.sha256.hash(bytes)
            for digest in Digest.allCases {
                // The contact hash itself comes with the text.
                Encodings.forEach(of: digest.hash(bytes)) { body($0, label) }
                Encodings.forEach(of: digest.hash(contactHash)) { body($0, label) }
            }
        }
    }

    /// Hashes that are salted or keyed with a value of the same row. The thief is even told which value.
    private func salted(_ text: String, _ salt: [UInt8], _ label: Int, _ body: ([UInt8], Int) -> Void) {
        let bytes = Array(text.utf8)
        for value in [bytes, Digest.sha256.hash(bytes)] {
            for digest in Digest.allCases {
                body(digest.hash(salt + value), label)
                body(digest.hash(value + salt), label)
            }
            for count in [16, 32] { body(Digest.blake2b(value, key: Array(salt.prefix(64)), count: count), label) }
        }
    }
}
