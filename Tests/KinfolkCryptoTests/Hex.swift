func hex(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { byte in String(byte >> 4, radix: 16) + String(byte & 15, radix: 16) }.joined()
}

func bytes(hex text: String) -> [UInt8] {
    stride(from: 0, to: text.utf8.count, by: 2).map { offset in
        UInt8(text.dropFirst(offset).prefix(2), radix: 16) ?? 0
    }
}
