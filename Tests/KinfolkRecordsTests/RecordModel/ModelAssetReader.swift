import Kinfolk

/// An open reader of an asset, and what the model knows of it.
struct ModelAssetReader {
    let reader: AssetReader
    let asset: Asset
    let access: ModelStep.Access
    let caller: RecordModel.Caller
}
