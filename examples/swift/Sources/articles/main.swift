// The code of the articles in Sources/Kinfolk/Kinfolk.docc, as the tests run it: in an empty folder.

import Kinfolk

let notes = try gettingStarted()
try identity(notes)
try optInAndConsent(notes)
try discovery(notes)
try privateDiscovery(notes)
try operatingIt(notes)
