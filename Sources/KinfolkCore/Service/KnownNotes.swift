/// What reads of one connection have learnt about one kind of rows.
package protocol KnownNotes: AnyObject {
    init()
}
