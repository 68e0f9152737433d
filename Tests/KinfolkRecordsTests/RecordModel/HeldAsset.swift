/// A place for an asset in hand, and for which database and zone it is.
struct HeldAsset {
    let access: ModelStep.Access
    let zone: Int?
    let hand: Int
}
