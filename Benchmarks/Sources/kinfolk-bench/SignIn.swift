import Glibc
import Kinfolk

/// First sessions, each of which makes a user record ID that is on disk when the call returns.
func measureSignIn(in folder: Folder) throws -> [Row] {
    let service = try Service.open(folder.file("sign-in.db"))
    let container = try service.createContainer("com.example.bench")
    let accounts = try (0..<1_500).map { _ in try service.createAccount() }
    let seconds = try time {
        for account in accounts { _ = try container.session(for: account) }
    }
    return [Row("new user record IDs, durable, one caller", Double(accounts.count) / seconds, "/s")]
}
