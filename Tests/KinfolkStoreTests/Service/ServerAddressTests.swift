import Kinfolk
import KinfolkFiles
import KinfolkStorage
import ServiceSupport
import Testing

/// The address of a store on a server.
@Suite struct ServerAddressTests {
    @Test func aStoreOnAServerNeedsAnExplicitKey() {
        let error = expect(.invalidArgument) { try Service.open("postgresql:///kinfolk?host=/nonexistent") }
        #expect(error?.reason.contains("key") == true)
    }

    @Test(arguments: [
        ("postgresql://ada:secret@db.example.com/people", "postgresql://ada@db.example.com/people"),
        ("postgresql://ada:se:cr@et@db.example.com?schema=a", "postgresql://ada@db.example.com?schema=a"),
        ("postgres://db.example.com:5432/people?user=ada&password=secret", "postgres://db.example.com:5432/people"),
        ("postgresql://ada:secret@a/people?password=other", "postgresql://ada@a/people"),
        ("postgresql:///people?host=/run/postgresql", "postgresql:///people?host=/run/postgresql"),
        ("postgresql://ada@db.example.com:5432/people", "postgresql://ada@db.example.com:5432/people"),
        ("/home/ada/a:b@c/kinfolk.db", "/home/ada/a:b@c/kinfolk.db"),
    ])
    func anAddressIsShownWithoutItsPassword(address: String, shown: String) {
        #expect(StoreFile.shown(FilePath(address)) == shown)
    }
}
