import Kinfolk
import KinfolkJSON

/// The canonical form and the hash of an address, or why the address is refused.
struct EmailView {
    let input: String
    let canonical: String?
    let hash: String?
    let fault: EmailFault?

    init(_ bytes: [UInt8]) {
        input = String(decoding: bytes, as: UTF8.self)
        do throws(EmailFault) {
            let address = EmailAddress(try CanonicalEmail(bytes.span))
            canonical = address.canonical
            hash = address.contactHash.hex
            fault = nil
        } catch {
            canonical = nil
            hash = nil
            fault = error
        }
    }

    var json: JSON {
        if let fault {
            return ["input": .string(input), "refused": .string(fault.rawValue), "reason": .string(fault.sentence)]
        }
        return [
            "input": .string(input), "canonical": canonical.map(JSON.string) ?? .null,
            "hash": hash.map(JSON.string) ?? .null,
        ]
    }

    var lines: [String] {
        if let fault { return ["Refused (\(fault.rawValue)): \(fault.sentence)"] }
        return [canonical, hash].compactMap(\.self)
    }
}
