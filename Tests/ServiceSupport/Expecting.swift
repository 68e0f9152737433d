package import Kinfolk
package import Testing

/// Expects `body` to fail with this code, and returns the error.
@discardableResult
package func expect(
    _ code: KinfolkError.Code,
    _ location: SourceLocation = #_sourceLocation,
    _ body: () throws -> some Any
) -> KinfolkError? {
    do {
        _ = try body()
        Issue.record("Not refused, but \(code) was expected.", sourceLocation: location)
    } catch let error as KinfolkError {
        #expect(error.code == code, sourceLocation: location)
        return error
    } catch {
        Issue.record("\(error) is no KinfolkError.", sourceLocation: location)
    }
    return nil
}
