import Kinfolk
import KinfolkCrypto
import KinfolkModel

/// Uploads and reads assets.
extension ModelRun {
    func beginUpload(_ number: Int, to zone: Int?, _ access: ModelStep.Access, keep hand: Int) throws {
        guard let (database, caller) = try caller(access) else { return }
        let zone = ModelPlace.zoneName(zone)
        let found = call { try database.beginUpload(zone: zone) }
        let expected = expect { () throws(ModelFailure) in
            try self.model.beginUpload(to: zone, access.scope, by: caller)
        }
        try compare(found.map { _ in }, expected.map { _ in })
        guard case (.success(let upload), .success(let model)) = (found, expected) else { return }
        uploads[number] = (upload, model, access.service, hand)
    }

    func write(_ piece: ModelPiece, to number: Int) throws {
        guard var held = uploads[number] else { return }
        let bytes = piece.bytes
        let expected = expect { () throws(ModelFailure) in try self.model.write(bytes, to: &held.model) }
        uploads[number] = held
        try compare(call { try held.upload.write(bytes) }, expected)
    }

    func finishUpload(_ number: Int) throws {
        guard var held = uploads[number] else { return }
        let isNew = held.model.file == nil
        let found = call { try held.upload.finish() }
        let expected = expect { () throws(ModelFailure) in
            try self.model.finish(&held.model, as: try? found.get())
        }
        uploads[number] = held
        try compare(found.map { _ in }, expected)
        guard case .success(let asset) = found else { return }
        let content = held.model.content
        var digest = [UInt8](repeating: 0, count: Asset.hashLength)
        content.withUnsafeBytes { content in digest.withUnsafeMutableBytes { SHA256.hash(content, into: $0) } }
        let isRight = asset.size == content.count && asset.sha256 == digest && asset.zone == held.model.zone
        let isUnknown = !assetsInUse.contains(asset.id)
        guard isRight, isNew ? isUnknown : asset == held.model.file else {
            throw Different(what: "the upload of \(content.count) bytes is the asset \(asset.id.hex), \(asset)")
        }
        assetsInUse.insert(asset.id)
        assets[held.hand] = asset
    }

    func cancelUpload(_ number: Int) {
        guard var held = uploads[number] else { return }
        held.upload.cancel()
        model.cancel(&held.model)
        uploads[number] = held
    }

    /// Holds an asset that the store does not have.
    func forge(_ asset: Int, zone: Int?, isLonger: Bool, keep hand: Int) {
        guard let known = assets[asset] else { return }
        assets[hand] = Asset(
            id: known.id,
            zone: ModelPlace.zoneName(zone),
            size: known.size + (isLonger ? 1 : 0),
            sha256: known.sha256
        )
    }

    // MARK: Reading

    func openAsset(_ number: Int, _ part: ModelPart, _ access: ModelStep.Access, keep reader: Int) throws {
        guard let asset = assets[number], let (database, caller) = try caller(access) else { return }
        let found = call { try database.reader(of: asset) }
        let expected = expect { () throws(ModelFailure) in
            try self.model.read(asset, access.scope, by: caller)
        }
        try compare(found.map { _ in }, expected.map { _ in })
        guard case .success(let opened) = found else { return }
        assetReaders[reader] = ModelAssetReader(reader: opened, asset: asset, access: access, caller: caller)
        try readAsset(reader, part)
    }

    func readAsset(_ number: Int, _ part: ModelPart) throws {
        guard let held = assetReaders[number] else { return }
        let found = call { try held.reader.read(at: part.offset, count: part.count) }
        let expected = expect { () throws(ModelFailure) in
            try self.model.read(held.asset, held.access.scope, by: held.caller)
        }
        try compare(found.map { _ in }, expected.map { _ in })
        guard case (.success(let bytes), .success(let content)) = (found, expected) else { return }
        guard bytes == part.bytes(of: content) else {
            throw Different(what: "\(bytes.count) other bytes of the asset were read: \(part)")
        }
    }

    // MARK: Time

    /// A service deletes what has expired after one of its next changes.
    func expireAssets() throws {
        try services[0].write { _ in }
        model.expireAssets()
    }
}
