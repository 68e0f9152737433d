/// What became of a transaction.
enum Outcome { case committed, undone, unknown }
