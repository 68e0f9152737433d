import Glibc
import Kinfolk
import KinfolkCore
import KinfolkSubscriptions
import TestSupport

private func open(_ path: String) throws -> (service: Service, container: Container) {
    let service = try Service.open(path, key: .file(TemporaryFolder.keyPath(of: path)), existingOnly: true)
    guard let container = try service.containers().first else { exit(70) }
    return (service, container)
}

/// Creates, changes and deletes records until it is killed, and writes each change after its end.
func writeMessages(_ path: String, account: String, prefix: String) throws {
    let (service, container) = try open(path)
    let database = try container.session(for: service.account(AccountID(account))).publicDatabase
    var number = 0
    while true {
        number += 1
        let name = "\(prefix)-\(number)"
        var message = try Record(type: "Message", id: RecordID(name))
        try message.set("version", to: .int64(1))
        message = try database.save(message)
        say("created", name)
        for version in 2..<(2 + Int64.random(in: 0...2)) {
            try message.set("version", to: .int64(version))
            message = try database.save(message)
            say("updated", name)
        }
        if number % 3 == 0 {
            try database.delete(message.id)
            say("deleted", name)
        }
        usleep(2_000)
    }
}

/// Receives notifications on a device, and writes each one before it is acknowledged, until it is killed.
func receiveMessages(_ path: String, account: String, device: String) throws {
    let (service, container) = try open(path)
    let session = try container.session(for: service.account(AccountID(account)), device: device)
    while true {
        for one in try session.notifications(waitingFor: 1) {
            guard one.kind == .query, let reason = one.reason, let id = one.recordID else {
                say("dropped")
                continue
            }
            let version = if case .int64(let version)? = one.fields["version"] { version } else { 0 as Int64 }
            say(reason.rawValue, id.name, version)
            try session.acknowledge(one)
        }
    }
}

/// Makes notifications of the changes that other processes leave, until it is killed.
func fanOutMessages(_ path: String) throws {
    let (service, _) = try open(path)
    say("ready")
    while true {
        try service.fanOut.startIfNeeded(service)
        usleep(5_000)
    }
}
