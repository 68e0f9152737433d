import Kinfolk

/// Steps that are about assets and quotas.
extension StepGenerator {
    /// How many uploads are held. Fewer than are begun, so that some are abandoned.
    static let uploads = 6
    static let assetReaders = 6
    private static let assetsInAlbum = 10

    /// An upload, mostly of all of a file.
    mutating func upload() -> [ModelStep] {
        let access = access()
        let zone = zone(access.scope)
        let number = below(StepGenerator.uploads)
        // Now and then the upload is not begun, and goes on with another file.
        let begin = chance(15) ? [] : [beginUpload(number, access, zone)]
        if chance(12) { return begin + interrupted(number, access, zone) }
        let pieces = (0..<below(4)).map { _ in ModelStep.write(piece(), upload: number) }
        let end: [ModelStep] =
            switch below(12) {
            case 0: []
            case 1: [.cancelUpload(number)]
            default: [.finishUpload(number)]
            }
        return begin + pieces + end
    }

    private mutating func beginUpload(_ number: Int, _ access: ModelStep.Access, _ zone: Int?) -> ModelStep {
        let held = HeldAsset(access: access, zone: zone, hand: hand(access, zone))
        album = album.suffix(StepGenerator.assetsInAlbum - 1) + [held]
        return .beginUpload(access, zone: zone, upload: number, keep: held.hand)
    }

    /// A part of a file is stored. Then something happens, and the upload goes on or is cancelled.
    private mutating func interrupted(_ number: Int, _ access: ModelStep.Access, _ zone: Int?) -> [ModelStep] {
        var slot = slot()
        if case .person(let own) = access.actor { slot = own }
        let part = ModelStep.write(
            ModelPiece(start: 0, count: ModelAsset.partLength + 1 + below(300_000)),
            upload: number
        )
        let end = chance(2) ? [.cancelUpload(number)] : [part, .finishUpload(number)]
        return switch below(4) {
        case 0: [part, .setSuspended(slot: slot, true)] + end + [.setSuspended(slot: slot, false)]
        case 1: [part, .wait(seconds: 100_000)] + end
        case 2: [part, .deleteZone(access, zone: zone), .saveZone(access, zone: zone)] + end
        default: [part, .finishRotation(service: service())] + end
        }
    }

    /// The operator deploys the schema, and lets nobody create records with files. Who has records may write them.
    mutating func closure() -> [ModelStep] {
        func declare(_ type: String, _ grants: [String: Set<ModelPermission>]) -> ModelStep {
            .declareGrants(.production, grants, on: type, service: service())
        }
        func uploads() -> [ModelStep] {
            (0..<2).flatMap { _ -> [ModelStep] in
                let access = ModelStep.Access(
                    service: service(),
                    actor: .person(slot: below(StepGenerator.slots - 1)),
                    environment: .production,
                    scope: .public
                )
                let number = below(StepGenerator.uploads)
                return [beginUpload(number, access, nil), .finishUpload(number)]
            }
        }
        let types = StepGenerator.types
        let ofOthers: [String: Set<ModelPermission>] = ["_world": [.read]]
        let ofOwn = ofOthers.merging(["_creator": [.write]]) { first, _ in first }
        return [.deploy(.production, service: service())] + types.map { declare($0, chance(3) ? ofOwn : ofOthers) }
            + [declare("Users", chance(4) ? ofOwn : ofOthers)] + uploads()
            + (types + ["Users"]).map { declare($0, RecordModel.standardGrants(of: $0)) }
    }

    /// An asset gets into records and out of them, while its uploader and others try to read it.
    mutating func exhibit() -> [ModelStep] {
        let access = access()
        let zone = zone(access.scope)
        let number = below(StepGenerator.uploads)
        let begin = beginUpload(number, access, zone)
        guard let asset = album.last else { return [] }
        func reads() -> [ModelStep] { (0..<1 + below(3)).map { _ in openAsset(asset) } }
        func change(_ name: Int, _ kind: ModelStep.Kind, _ values: [ModelValue?]) -> ModelStep.Item {
            let changes = values.map { value in
                ModelStep.Change(field: "a_\(value?.type ?? .asset)", value: value)
            }
            let key = ModelStep.Key(name: .own(name), zone: zone)
            let type = StepGenerator.types[name % StepGenerator.types.count]
            return ModelStep.Item(
                kind: kind,
                draft: ModelStep.Draft(hand: nil, key: key, type: type, changes: changes)
            )
        }
        func batch(_ items: [ModelStep.Item]) -> ModelStep {
            .batch(access, items, isAtomic: chance(2), keep: hand(access))
        }
        let values = [FieldType.asset, .assetList].map { value($0, asset) }
        // The second record is another one. It may take the asset in the call in which the first one loses it.
        let (first, second) = (below(StepGenerator.names), below(StepGenerator.names - 1))
        let name = second < first ? second : second + 1
        let losses: [ModelStep.Item] = [
            change(first, .forceDelete, []), change(first, .forceReplace, []), change(first, .forceUpdate, [nil]),
        ]
        let loss = losses[below(losses.count)]
        let taking = change(name, .forceUpdate, [values[below(2)]])
        return [begin, .write(piece(), upload: number), .finishUpload(number)] + reads()
            + [batch([change(first, .forceUpdate, [values[0]])])] + reads()
            + (chance(2) ? [batch(shuffled([loss, taking]))] : [batch([taking]), batch([loss])]) + reads()
            + [batch([change(name, chance(2) ? .forceDelete : .forceReplace, [])])] + reads()
    }

    /// Something that happens to an upload or an asset that is in hand.
    mutating func asset() -> ModelStep {
        let number = below(StepGenerator.uploads)
        return switch below(20) {
        case 0: .cancelUpload(number)
        case 1: .finishUpload(number)
        case ..<4: .write(piece(), upload: number)
        case 4: forge()
        case ..<9: .readAsset(reader: below(StepGenerator.assetReaders), part())
        case ..<12: .compareStorageUse(access())
        default: album.isEmpty ? .compareStorageUse(access()) : openAsset(album[below(album.count)])
        }
    }

    /// The uploader, or anybody, tries to read.
    private mutating func openAsset(_ asset: HeldAsset) -> ModelStep {
        let other = chance(20) ? anyAccess() : asset.access
        let access = ModelStep.Access(
            service: service(),
            actor: chance(2) ? anyAccess().actor : asset.access.actor,
            environment: other.environment,
            scope: other.scope
        )
        return .openAsset(access, asset: asset.hand, part(), reader: below(StepGenerator.assetReaders))
    }

    private mutating func forge() -> ModelStep {
        let access = access()
        let (zone, other) = (zone(access.scope), zone(access.scope))
        let isLonger = chance(2)
        return .forge(
            asset: hand(access, zone),
            zone: isLonger ? zone : other,
            isLonger: isLonger,
            keep: hand(access, isLonger ? zone : other)
        )
    }

    /// A person has a quota for some time, and stores something.
    mutating func squeeze() -> [ModelStep] {
        let access = access()
        let quota: Quota =
            switch access.scope {
            case .private: chance(4) ? .asset : .user
            case .public: [.asset, .publicDatabase, .publicDatabase, .creator][below(4)]
            }
        let room =
            quota == .asset
            ? [0, 1, 5_000, 262_144, 1_048_576][below(5)] : [-1_000, 0, 32, 500, 5_000, 50_000, 1_100_000][below(7)]
        let steps = (0..<2 + below(5)).flatMap { _ -> [ModelStep] in
            switch below(8) {
            case ..<2: upload()
            case ..<5: [save()]
            case 5: [family()]
            case 6: [delete()]
            default: [batch()]
            }
        }
        return [.setQuota(access, quota, room: room)] + steps + [.compareStorageUse(access)]
            + [.setQuota(access, quota, room: nil)]
    }

    /// A place for an asset: mostly one of those for this zone of the caller's database.
    mutating func hand(_ access: ModelStep.Access, _ zone: Int?) -> Int {
        zoneInHand(access, zone) * ModelValue.assetsInHand + below(ModelValue.assetsInHand)
    }

    private mutating func zoneInHand(_ access: ModelStep.Access, _ zone: Int?) -> Int {
        let zones = StepGenerator.zones + 1
        guard !chance(15) else { return below(2 * (1 + StepGenerator.slots) * zones) }
        return place(access) * zones + (zone.map { $0 + 1 } ?? 0)
    }

    /// A value with assets in hand: mostly with one of the last ones of the caller's database and zone.
    mutating func assets(_ type: FieldType, _ access: ModelStep.Access, _ zone: Int?) -> ModelValue {
        let known = album.filter { place($0.access) == place(access) && $0.zone == zone }
        if !known.isEmpty, !chance(6) { return value(type, known[below(known.count)]) }
        return value(type, HeldAsset(access: access, zone: zone, hand: hand(access, zone)))
    }

    /// An asset in hand, or a list that begins with it or is empty.
    private mutating func value(_ type: FieldType, _ asset: HeldAsset) -> ModelValue {
        let all = ModelValue.assetsInHand
        let zone = asset.hand / all
        return ModelValue(type: type, number: (zone * all + below(all)) * all + asset.hand % all)
    }

    /// Most pieces are small. Some have more than a transaction writes.
    private mutating func piece() -> ModelPiece {
        let start = below(ModelPiece.starts)
        return switch below(24) {
        case 0: ModelPiece(start: start, count: [262_144, 1_048_576, 1_048_577][below(3)])
        case 1: ModelPiece(start: start, count: below(2_300_000))
        case 2: ModelPiece(start: start, count: below(600_000))
        case ..<6: ModelPiece(start: start, count: [0, 1, 4_095, 4_096][below(4)])
        default: ModelPiece(start: start, count: below(9_000))
        }
    }

    private mutating func part() -> ModelPart {
        let all = ModelPart(offset: 0, count: 10_000_000)
        guard !chance(2) else { return all }
        let offsets = [0, 1, 4_096, 262_143, 262_144, 1_048_576, below(10_000), below(2_300_000)]
        let counts = [0, 1, 5_000, 262_145, 10_000_000]
        return ModelPart(offset: offsets[below(offsets.count)], count: counts[below(counts.count)])
    }
}
