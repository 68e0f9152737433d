// A document that two devices of one person edit. The program makes its store, "document-editor.db", in the folder where it runs, and
// starts itself a second time as the other device.

import Foundation
import Kinfolk

let isTablet = CommandLine.arguments.count > 1
let service = try Service.open("document-editor.db")
let notes = try service.openOrCreateContainer("com.example.notes").container
let ada = try service.findOrCreateAccount(email: "ada@example.com", name: PersonName(givenName: "Ada")).account
let documents = try notes.session(for: ada, device: isTablet ? "tablet" : "laptop").documents

// Two processes print, so each line is written at once.
func say(_ line: String) {
    print(line)
    fflush(nil)
}

func text(_ document: Document, _ version: DocumentVersion? = nil) throws -> String {
    String(decoding: try documents.contents(of: document, version), as: UTF8.self)
}

// 1. A search finds documents by their names and folders.
func find(_ name: String) throws -> Document {
    var search = DocumentSearch()
    search.name = name
    guard let document = try documents.search(search).first else { fatalError("There is no such document.") }
    return document
}

// 2. To edit a document, read its contents and save other ones.
func edit(_ document: Document, adding more: String) throws -> Document {
    let contents = try documents.contents(of: document)
    return try documents.save(document, contents: contents + Array(more.utf8))
}

// 3. A device is told of the changes of others: those after a token, or from now on.
func change(after token: ServerChangeToken) async throws -> Document {
    for await change in try await documents.changeStream(since: token) where change.kind == .changed {
        if let document = change.document { return document }
    }
    fatalError("The stream has ended.")
}

if isTablet {
    let found = try find("test.*")
    say("tablet finds: \(found.path)")
    say("tablet opens: \(try text(found))")
    let token = try documents.changes().token
    _ = try edit(found, adding: ", bread")
    say("tablet sees: \(try text(try await change(after: token)))")
} else {
    var list = try documents.create("lists/test.txt", contents: Array("Milk".utf8))
    let old = list
    let token = try documents.changes().token
    let tablet = Process()
    tablet.executableURL = URL(filePath: "/proc/self/exe")
    tablet.arguments = ["tablet"]
    try tablet.run()

    list = try await change(after: token)
    say("laptop sees: \(try text(list))")
    list = try edit(list, adding: ", tea")
    tablet.waitUntilExit()
    guard tablet.terminationStatus == 0 else { fatalError("The other device has failed.") }

    // 4. A save that was made from an old version replaces nothing: it becomes a conflict.
    list = try documents.save(old, contents: Array("Milk, eggs".utf8))
    if let conflict = list.conflicts.last {
        say("current: \(try text(list))")
        say("conflict: \(try text(list, conflict))")
        list = try documents.resolve(list, contents: Array("Milk, bread, tea, eggs".utf8))
    }
    say("resolved: \(try text(list))")

    // 5. Older versions can be read and restored.
    say("versions: \(list.versions.count), the oldest one: \(try text(list, list.olderVersions.last))")
}
