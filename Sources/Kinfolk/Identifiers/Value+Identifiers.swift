import KinfolkCrypto
import KinfolkStorage

extension Value {
    static func tag(_ tag: Tag) -> Value {
        let (first, second) = tag.words
        return .sixteenBytes(first, second)
    }

    static func id(_ id: RandomID) -> Value { .tag(id.tag) }
}
