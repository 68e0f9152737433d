/// Keys of 16 bytes that are looked up together, consecutive in memory.
package struct KeyList {
    static let width = 16

    private let bytes: UnsafeRawBufferPointer

    /// The memory of the keys must stay valid while this value is used.
    package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var count: Int { bytes.count / KeyList.width }

    subscript(position: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[position * KeyList.width..<(position + 1) * KeyList.width])
    }
}
