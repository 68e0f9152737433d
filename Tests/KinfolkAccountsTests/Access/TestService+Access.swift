import Kinfolk
import KinfolkAccess
import ServiceSupport
import Testing

extension TestService {
    /// Whether a web auth token gives access, on a connection of its own as in another process too.
    func isValid(_ token: String, _ apiToken: APIToken, in container: Container? = nil) throws -> Bool {
        let container = container ?? self.container
        let other = try reopened().container(container.name, environment: container.environment)
        let isValid = try container.session(webAuthToken: token, apiToken: apiToken) != nil
        #expect(try (other.session(webAuthToken: token, apiToken: apiToken) != nil) == isValid)
        return isValid
    }
}
