import Kinfolk

/// That a record refers to another one of its zone in a way that matters when one of them is deleted.
struct ModelLink: Hashable {
    let target: String
    let kind: BackReference.Kind
}
