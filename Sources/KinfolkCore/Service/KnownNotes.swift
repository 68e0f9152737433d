/// Results about one kind of rows that reads of one connection cache.
package protocol KnownNotes: AnyObject {
    init()
}
