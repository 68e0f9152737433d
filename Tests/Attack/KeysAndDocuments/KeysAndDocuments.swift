/// Nobody but their user reads or changes keys and documents, no call reaches them as records, and no edit of the store gives wrong ones.
struct KeysAndDocuments: Experiment {
    let name = "documents"
    let promise = "keys and documents"

    func run(_ length: Length) throws -> [Finding] {
        try [
            StoredLayers(count: length.choose(short: 20, long: 300)).findings(), LayerReach().findings(),
            EditedLayers().findings(),
        ]
        .flatMap { $0 }
    }
}
