/// The outcome of a transaction.
enum Outcome { case committed, undone, unknown }
