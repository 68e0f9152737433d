import Foundation
import Kinfolk

/// What the public API tells about a store.
struct OlderStoreObservation: Codable, Equatable {
    struct Membership: Codable, Equatable {
        let container: String
        let record: String
        let discoverability: Int32
        /// Nil if the account is suspended.
        let permitsLeft: UInt32?
        let blocked: [String]
        /// Of the public and the private record.
        let changeTags: [String]
    }

    struct Person: Codable, Equatable {
        let givenName: String
        let familyName: String
        let isSuspended: Bool
        let memberships: [Membership]
    }

    struct Claim: Codable, Equatable {
        let id: String
        let address: String
        let owner: String
        let claimant: String
        let state: Int32
        let openedAt: Int64
        let notice: [String]
    }

    struct AuditRow: Codable, Equatable {
        let number: Int64
        let container: String
        let record: String?
        let reason: String?
        let notedAt: Int64
    }

    struct InContainer: Codable, Equatable {
        let modes: UInt32
        /// Public keys by epoch.
        let privateKeys: [String: Data]
        let permitCapacity: UInt32
        let permitsPerHour: Double
        let unverifiedCapacity: UInt32
        let multiplicationsPerDay: UInt64?
        let rowsPerDay: UInt64?
        let fields: UInt32
        /// Pairs of user record IDs.
        let operatorBlocks: [[String]]
        /// Discoveries and refusals by day.
        let activity: [String: [Int]]
    }

    /// By account ID.
    var people: [String: Person]
    /// The exports of accounts and then of their memberships, by account ID: JSON, to which later versions may add.
    var exports: [String: [String]]
    var containers: [String: InContainer]
    var claims: [Claim]
    var audit: [AuditRow]
    var claimWait: Double
    var bucketKey: Data
    /// The number of rows of each table. The table `service` also holds what opening changes.
    var tables: [String: Int]

    init(of service: Service) throws {
        (people, exports, containers) = ([:], [:], [:])
        let all = try service.containers()
        for account in try service.accounts() {
            let name = try account.name()
            let isSuspended = try account.isSuspended()
            var (memberships, texts): ([Membership], [String]) = ([], [try account.export()])
            // A session with any other container would be a change.
            for container in all where texts[0].contains("\"\(container.name)\"") {
                let session = try container.session(for: account)
                memberships.append(try Membership(session, isSuspended: isSuspended))
                texts.append(try session.export())
            }
            people[account.id.description] = Person(
                givenName: name.givenName,
                familyName: name.familyName,
                isSuspended: isSuspended,
                memberships: memberships
            )
            exports[account.id.description] = texts
        }
        for container in all { containers[container.name] = try InContainer(container) }
        claims = try service.emailClaims().map { claim in
            Claim(
                id: claim.id.description,
                address: claim.address,
                owner: claim.owner.description,
                claimant: claim.claimant.description,
                state: claim.state.rawValue,
                openedAt: claim.openedAt.microseconds,
                notice: claim.notice
            )
        }
        audit = try service.auditLog().map { entry in
            AuditRow(
                number: entry.number,
                container: entry.container,
                record: entry.userRecordID?.description,
                reason: entry.reason,
                notedAt: entry.notedAt.microseconds
            )
        }
        claimWait = try service.claimWait()
        bucketKey = Data(try service.bucketPublicKey())
        let counts = try service.check().tables.filter { $0.name != "service" }.map { ($0.name, $0.rows) }
        tables = Dictionary(uniqueKeysWithValues: counts)
    }
}

extension OlderStoreObservation.Membership {
    fileprivate init(_ session: Session, isSuspended: Bool) throws {
        container = session.container.name
        record = try session.userRecordID().description
        discoverability = try session.discoverability().rawValue
        permitsLeft = isSuspended ? nil : try session.permitsLeft()
        blocked = try session.blockedUserRecordIDs().map(\.description)
        changeTags =
            isSuspended ? [] : try DatabaseScope.allCases.map { try session.fetchUserRecord(in: $0).changeTag ?? "" }
    }
}

extension OlderStoreObservation.InContainer {
    fileprivate init(_ container: Container) throws {
        modes = try container.directoryModes().rawValue
        let keys = try container.privateEpochs().map { ("\($0.number)", Data($0.publicKey)) }
        privateKeys = Dictionary(uniqueKeysWithValues: keys)
        let permits = try container.permitLimit()
        (permitCapacity, permitsPerHour, unverifiedCapacity) = (
            permits.capacity, permits.perHour, permits.unverifiedCapacity
        )
        let work = try container.privateWorkLimit()
        (multiplicationsPerDay, rowsPerDay) = (work.multiplicationsPerDay, work.rowsPerDay)
        fields = try container.fieldLimit()
        operatorBlocks = try container.operatorBlocks().map {
            [$0.userRecordID.description, $0.otherUserRecordID.description].sorted()
        }
        let days = try container.statistics().activity.map { ($0.day.description, [$0.discoveries, $0.refusals]) }
        activity = Dictionary(uniqueKeysWithValues: days)
    }
}
