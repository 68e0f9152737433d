import Glibc
import Kinfolk

// Commands that a test runs in a second process, to do something to a store meanwhile.
//
//     kinfolk-probe hold PATH            holds the write lock of a counter store until its input ends
//     kinfolk-probe hold-read PATH       holds a snapshot of such a store
//     kinfolk-probe count-up PATH TIMES  increments a counter
//     kinfolk-probe hold-service PATH    holds the write lock of a service
//     kinfolk-probe open PATH [UID]      opens a service, as another user
//     kinfolk-probe serve PATH UID       opens a service, as another user, and makes an account for each line
//     kinfolk-probe replace PATH UID     replaces a file, as another user
//     kinfolk-probe accounts PATH COUNT  makes accounts and writes their IDs
//     kinfolk-probe look-up PATH ACCOUNT TIMES
//                                        looks a person up, waits, and exits without closing the service
//     kinfolk-probe accounts-hold PATH COUNT
//                                        makes accounts, and waits with the store open
//     kinfolk-probe restarts PATH COUNT  opens a service, makes an account and closes it, many times
//     kinfolk-probe restore PATH BACKUP STEP
//                                        restores a backup, and is killed after a step
//     kinfolk-probe restore-as PATH BACKUP UID
//                                        restores a backup, as another user
//     kinfolk-probe decide PATH          reads lines "ACCOUNT granted" and "ACCOUNT denied", and makes these decisions
//     kinfolk-probe rotate PATH          rotates the keys, and waits after each batch
//     kinfolk-probe build-indexes PATH   builds indexes, and writes how far it is
//     kinfolk-probe copy PATH DESTINATION [SIZE]
//                                        copies a store, and waits for a line after each step; no file gets larger than SIZE
//     kinfolk-probe migrate PATH VERSION SQL [SIZE]
//                                        opens a service's store, whose schema has VERSION steps, as a version with one more step
//                                        does, and waits; no file gets larger than SIZE
//     kinfolk-probe fork PATH            uses a service on both sides of a fork
//     kinfolk-probe signal PATH          increments a counter, and wakes those who wait for changes
//     kinfolk-probe fork-signal PATH     uses a signal on both sides of a fork
//     kinfolk-probe signal-descriptors PATH
//                                        writes how many descriptors signals leave open, and how many are inherited
//     kinfolk-probe signal-limit PATH    makes a signal while only one descriptor is free
//     kinfolk-probe write-messages PATH ACCOUNT PREFIX
//                                        creates, changes and deletes records, and writes what it has done
//     kinfolk-probe receive-messages PATH ACCOUNT DEVICE
//                                        writes the notifications of a device, and acknowledges them
//     kinfolk-probe fan-out PATH         makes notifications of the changes of other processes
//     kinfolk-probe exit WAY             ends with participants that finish at exit: return, exit, hang or fork

let arguments = CommandLine.arguments.dropFirst()
guard let command = arguments.first, let path = arguments.dropFirst().first else { exit(64) }
let argument = arguments.dropFirst(2).first

do {
    switch command {
    case "hold": try hold(path)
    case "hold-read": try holdSnapshot(path)
    case "count-up": try countUp(path, times: Int(argument ?? "") ?? 1)
    case "hold-service": try holdService(path)
    case "open": try openService(path, user: argument.flatMap { UInt32($0) })
    case "serve": try serve(path, user: argument.flatMap { UInt32($0) } ?? getuid())
    case "replace": try replaceFile(path, user: argument.flatMap { UInt32($0) } ?? getuid())
    case "accounts": try makeAccounts(path, count: Int(argument ?? "") ?? 1)
    case "look-up":
        try lookUp(path, account: argument ?? "", times: arguments.dropFirst(3).first.flatMap { Int($0) } ?? 1)
    case "accounts-hold": try holdAccounts(path, count: Int(argument ?? "") ?? 1)
    case "restarts": try restart(path, count: Int(argument ?? "") ?? 1)
    case "restore": try restore(path, from: argument ?? "", until: arguments.dropFirst(3).first ?? "")
    case "restore-as":
        try restore(path, from: argument ?? "", as: arguments.dropFirst(3).first.flatMap { UInt32($0) } ?? getuid())
    case "decide": try decide(path)
    case "rotate": try rotateKeys(path)
    case "build-indexes": try buildIndexes(path)
    case "copy": try copyStore(path, to: argument ?? "", limit: arguments.dropFirst(3).first.flatMap { UInt($0) })
    case "migrate":
        let (sql, limit) = (arguments.dropFirst(3).first, arguments.dropFirst(4).first)
        try migrate(path, from: Int(argument ?? "") ?? 0, sql: sql ?? "", limit: limit.flatMap { UInt($0) })
    case "fork": try forkWithService(path)
    case "signal": try signal(path)
    case "fork-signal": try forkWithSignal(path)
    case "signal-descriptors": try countSignalDescriptors(path)
    case "signal-limit": try signalWithoutDescriptors(path)
    case "write-messages":
        try writeMessages(path, account: argument ?? "", prefix: arguments.dropFirst(3).first ?? "")
    case "receive-messages":
        try receiveMessages(path, account: argument ?? "", device: arguments.dropFirst(3).first ?? "")
    case "fan-out": try fanOutMessages(path)
    case "exit": endWithParticipants(path)
    default: exit(64)
    }
} catch let error as KinfolkError {
    say(error.code)
} catch {
    say(error)
}
