import Glibc
import Kinfolk
import KinfolkFiles
import KinfolkRecords
import KinfolkStorage
import TestSupport

/// The key file is where that of a store in a file would be.
private func open(_ path: String, existingOnly: Bool = false) throws -> Service {
    try Service.open(path, key: .file(TemporaryFolder.keyPath(of: path)), existingOnly: existingOnly)
}

func holdService(_ path: String) throws {
    try open(path, existingOnly: true).write(isLarge: true) { _ in
        say("holding")
        waitForRelease()
    }
}

/// Goes on as another user, who is in no other group.
private func become(_ user: UInt32) {
    guard setgroups(0, nil) == 0, setgid(user) == 0, setuid(user) == 0 else { exit(77) }
}

func openService(_ path: String, user: UInt32?) throws {
    if let user { become(user) }
    _ = try open(path)
    say("ok")
}

/// Makes an account for each line.
func serve(_ path: String, user: UInt32) throws {
    become(user)
    let service = try open(path)
    say("open")
    while readLine() != nil {
        do {
            _ = try service.createAccount()
            say("ok")
        } catch { say(error.code) }
    }
}

func replaceFile(_ path: String, user: UInt32) throws {
    become(user)
    try FileDraft(of: FilePath(path), mode: 0o666).replace()
    say("ok")
}

func makeAccounts(_ path: String, count: Int) throws {
    let service = try open(path)
    for _ in 0..<count { say(try service.createAccount().id) }
}

func holdAccounts(_ path: String, count: Int) throws {
    let service = try open(path)
    for _ in 0..<count { _ = try service.createAccount() }
    say("holding")
    waitForRelease()
    withExtendedLifetime(service) {}
}

func restart(_ path: String, count: Int) throws {
    for _ in 0..<count { _ = try open(path).createAccount() }
    say("done")
}

func restore(_ path: String, from backup: String, until step: String) throws {
    let key = KeySource.file(TemporaryFolder.keyPath(of: path))
    _ = try Service.restore(FilePath(path), from: FilePath(backup), key: key, false, 1, { _ in }) { done in
        guard done.rawValue == step else { return }
        say(step)
        kill(getpid(), SIGKILL)
    }
}

func restore(_ path: String, from backup: String, as user: UInt32) throws {
    become(user)
    try Service.restore(path, from: backup, key: .file(TemporaryFolder.keyPath(of: path)))
    say("ok")
}

/// Grants and revokes discoverability in the first container, for the accounts that the test names.
func decide(_ path: String) throws {
    let service = try open(path, existingOnly: true)
    guard let container = try service.containers().first else { exit(70) }
    let wording = ConsentWording("May people who have your address find you here?", version: "2026-01")
    while let words = readLine()?.split(separator: " ") {
        let session = try container.session(for: service.account(AccountID(String(words[0]))))
        try session.setDiscoverability(words[1] == "granted" ? .granted : .denied, wording: wording)
        say("done")
    }
}

func rotateKeys(_ path: String) throws {
    _ = try open(path, existingOnly: true).rotateKeys { progress in
        say(progress.accounts)
        waitForRelease()
    }
}

/// Builds the indexes of the first container, and writes how many records are done after each part.
func buildIndexes(_ path: String) throws {
    let service = try open(path, existingOnly: true)
    service.indexBuilder.stop()
    guard let container = try service.containers().first else { exit(70) }
    try container.buildIndexes { build in say(build.done) }
}

func copyStore(_ path: String, to destination: String, limit: UInt?) throws {
    let service = try open(path, existingOnly: true)
    if let limit { try limitFiles(to: limit) }
    _ = try service.copy(to: destination) { progress in
        say(progress.step, progress.rows)
        _ = readLine()
    }
    say("done")
}

/// Swift does not import `fork`, because the child of a program with threads may call only few functions.
func forkProcess() -> pid_t {
    guard let symbol = dlsym(nil, "fork") else { exit(70) }
    return unsafeBitCast(symbol, to: (@convention(c) () -> pid_t).self)()
}

func forkWithService(_ path: String) throws {
    let service = try open(path)
    let account = try service.createAccount(name: PersonName(givenName: "Ada"))
    let child = forkProcess()
    if child == 0 {
        do {
            _ = try account.name()
            _exit(1)
        } catch {
            guard error == KinfolkError(.serviceUnavailable, "") else { _exit(2) }
        }
        do {
            let fresh = try open(path)
            guard try fresh.account(account.id).name().givenName == "Ada" else { _exit(3) }
            try fresh.account(account.id).setName(PersonName(givenName: "Grace"))
        } catch { _exit(4) }
        _exit(0)
    }
    var status: Int32 = 0
    waitpid(child, &status, 0)
    say("child", status)
    say("parent", try account.name().givenName)
}

/// Looks a person up several times as an account, waits, and exits without closing anything.
func lookUp(_ path: String, account: String, times: Int) throws {
    let service = try open(path, existingOnly: true)
    let session = try service.container("com.example.notes").session(for: service.account(AccountID(account)))
    var found = false
    for _ in 0..<times where try session.discover(EmailAddress("stranger@example.com")) != nil { found = true }
    say("found", found ? "somebody" : "nobody")
    waitForRelease()
    exit(0)
}
