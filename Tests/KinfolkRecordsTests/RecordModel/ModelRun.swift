import Kinfolk
import KinfolkModel
import ServiceSupport
import TestSupport
import Testing

/// Runs steps with the product and with the model, and compares the answers.
final class ModelRun {
    /// The product and the model differ.
    struct Mismatch: Error {
        /// Which step.
        let index: Int
        let what: String
    }

    struct Different: Error {
        let what: String
    }

    typealias Origin = ModelDraft.Origin

    struct Person {
        let number: Int
        let account: AccountID
        let ids: [ContainerEnvironment: UserRecordID]
    }

    struct SessionKey: Hashable {
        let service: Int
        let person: Int
        let environment: ContainerEnvironment
    }

    let store: TestService
    var services: [Service]
    var model: RecordModel
    var people: [Int: Person] = [:]
    /// Who was erased last from a slot.
    var erased: [Int: Person] = [:]
    var peopleMade = 0
    var sessions: [SessionKey: Session] = [:]
    var hands: [Int: (record: Record, draft: ModelDraft)] = [:]
    var readers: [Int: ModelReader] = [:]
    var assets: [Int: Asset] = [:]
    var assetsInUse: Set<RandomID> = []
    var uploads: [Int: (upload: AssetUpload, model: ModelUpload, service: Int, hand: Int)] = [:]
    var assetReaders: [Int: ModelAssetReader] = [:]
    var generated: [Int: RecordID] = [:]
    /// The product's change tag for each of the model.
    var tags: [Int: String] = [0: String(repeating: "0", count: 16)]
    var tagsInUse: Set<String> = [String(repeating: "0", count: 16)]
    var isRotating = false
    /// How often each outcome was compared: "success", or the code of an error.
    var outcomes: [String: Int] = [:]

    init() throws {
        store = try TestService()
        services = try [store.service] + (1..<StepGenerator.services).map { [store] _ in try store.reopened() }
        model = RecordModel(now: store.clock.now)
        for environment in ContainerEnvironment.allCases {
            try container(environment, 0).setFieldLimit(1_000_000)
        }
    }

    /// The first difference between the product and the model.
    static func mismatch(in steps: [ModelStep]) throws -> Mismatch? { try ModelRun().mismatch(in: steps) }

    /// Takes the steps, and returns the first difference between the product and the model.
    func mismatch(in steps: [ModelStep]) -> Mismatch? {
        for (index, step) in steps.enumerated() {
            do { try take(step) } catch let different as Different {
                return Mismatch(index: index, what: different.what)
            } catch {
                return Mismatch(index: index, what: "unexpected: \(error)")
            }
        }
        return nil
    }

    func container(_ environment: ContainerEnvironment, _ service: Int) throws -> Container {
        try services[service].container(store.container.name, environment: environment)
    }

    func take(_ step: ModelStep) throws {
        switch step {
        case .fetch(let access, let keys, let hand): try fetch(keys, access, keep: hand)
        case .save(let access, let draft, let policy, let hand): try save(draft, policy, access, keep: hand)
        case .delete(let access, let draft, let withTag): try delete(draft, withTag, access)
        case .batch(let access, let items, let isAtomic, let hand): try run(items, isAtomic, access, keep: hand)
        case .listBackReferences(let access, let key, let limit):
            try listBackReferences(key, limit: limit, access)
        case .saveZone(let access, let zone): try saveZone(zone, access)
        case .deleteZone(let access, let zone): try deleteZone(zone, access)
        case .listZones(let access): try listZones(access)
        case .pull(let access, let zone, let reader, let limit): try pull(zone, reader, limit: limit, access)
        case .pullZones(let access, let reader): try pullZones(reader, access)
        case .beginUpload(let access, let zone, let upload, let hand):
            try beginUpload(upload, to: zone, access, keep: hand)
        case .write(let piece, let upload): try write(piece, to: upload)
        case .finishUpload(let upload): try finishUpload(upload)
        case .cancelUpload(let upload): cancelUpload(upload)
        case .forge(let asset, let zone, let isLonger, let hand):
            forge(asset, zone: zone, isLonger: isLonger, keep: hand)
        case .openAsset(let access, let asset, let part, let reader):
            try openAsset(asset, part, access, keep: reader)
        case .readAsset(let reader, let part): try readAsset(reader, part)
        case .setQuota(let access, let quota, let room): try setQuota(quota, room: room, access)
        case .compareStorageUse(let access): try compareStorageUse(access)
        case .addField(let environment, let name, let field, let recordType, let service):
            try addField(name, field, to: recordType, environment, service)
        case .declare(let environment, let name, let field, let recordType, let service):
            try declare(name, field, of: recordType, environment, service)
        case .deploy(let environment, let service): try deploy(environment, service)
        case .removeField(let environment, let name, let recordType, let service):
            try removeField(name, from: recordType, environment, service)
        case .createRole(let environment, let role, let service): try createRole(role, environment, service)
        case .removeRole(let environment, let role, let service): try removeRole(role, environment, service)
        case .declareGrants(let environment, let grants, let type, let service):
            try declareGrants(grants, on: type, environment, service)
        case .changeRole(let environment, let role, let slot, let isGiven, let service):
            try changeRole(role, of: slot, isGiven: isGiven, environment, service)
        case .join(let slot): try join(slot)
        case .setSuspended(let slot, let isSuspended): try setSuspended(slot, isSuspended)
        case .block(let slot, let other): try block(slot, other)
        case .erase(let slot, let keepsRecords, let service): try erase(slot, keepsRecords, service)
        case .export(let slot, let service): try export(slot, service)
        case .beginRotation(let isLeaked, let service): try beginRotation(isLeaked, service)
        case .stepRotation(let environment, let service): try stepRotation(of: environment, service)
        case .finishRotation(let service): try finishRotation(service)
        case .reopen(let service):
            services[service] = try store.reopened()
            sessions = sessions.filter { $0.key.service != service }
            uploads = uploads.filter { $0.value.service != service }
            assetReaders = assetReaders.filter { $0.value.access.service != service }
        case .wait(let seconds):
            store.clock.advance(seconds: Double(seconds))
            model.now = store.clock.now
            try expireAssets()
        case .check(let service): try check(service)
        }
    }
}
