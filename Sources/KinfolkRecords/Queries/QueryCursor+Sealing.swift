import KinfolkCore
import KinfolkCrypto
import KinfolkModel

/// A cursor holds the position of the last record of a page, sealed and bound to the query, its scope and its zone.
extension QueryCursor {
    private static let version: UInt8 = 1

    init(_ position: QueryPosition, at place: SealedPlace, _ keys: KeyRing) throws {
        var bytes: [UInt8] = [QueryCursor.version, UInt8(position.values.count), position.tie == nil ? 0 : 1]
        for number in [position.number, Int64(bitPattern: position.tie ?? 0)] {
            withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
        }
        for value in position.values {
            let length = value.map { Int32($0.bytes.count) } ?? -1
            withUnsafeBytes(of: length.littleEndian) { bytes.append(contentsOf: $0) }
            bytes += value?.bytes ?? []
        }
        self.init(valid: try keys.syncStates.seal(bytes, at: place))
    }

    /// Nil if it belongs to another query, or was changed.
    func position(at place: SealedPlace, _ keys: KeyRing) -> QueryPosition? {
        guard let opened = try? keys.syncStates.open(bytes, at: place) else { return nil }
        var rest = opened[...]
        func take(_ count: Int) -> ArraySlice<UInt8>? {
            guard count >= 0, rest.count >= count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }
        func number(_ length: Int) -> UInt64? { take(length)?.reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) } }
        guard number(1) == UInt64(QueryCursor.version), let count = number(1), let hasTie = number(1),
            let record = number(8), let tie = number(8)
        else { return nil }
        var values: [OrderValue?] = []
        for _ in 0..<count {
            guard let length = number(4).map({ Int32(truncatingIfNeeded: $0) }) else { return nil }
            guard length >= 0 else { values.append(nil); continue }
            guard let bytes = take(Int(length)) else { return nil }
            values.append(OrderValue(bytes: Array(bytes)))
        }
        return QueryPosition(values: values, tie: hasTie == 1 ? tie : nil, number: Int64(bitPattern: record))
    }
}
