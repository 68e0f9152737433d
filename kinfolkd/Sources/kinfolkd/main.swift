import Hummingbird
import HummingbirdTLS
import HummingbirdHTTP2
import Crypto
import JWTKit
import Kinfolk
let router = Router()
router.get("/") { _, _ in "hello" }
let app = Application(router: router, configuration: .init(address: .hostname("127.0.0.1", port: 8099)))
try await app.runService()
