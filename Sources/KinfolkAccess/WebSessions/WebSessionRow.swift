import KinfolkModel

/// A row of the table of web sessions, after it was found authentic.
package struct WebSessionRow {
    let account: AccountID
    let container: Int64
    let id: RandomID
    var content: WebSessionContent

    func description(container: String, _ environment: ContainerEnvironment) -> WebSession {
        WebSession(
            id: id,
            container: container,
            environment: environment,
            apiTokenName: content.apiTokenName,
            createdAt: content.createdAt,
            signedInAt: content.signedInAt,
            expiresAt: content.expiresAt,
            isLasting: content.isLasting
        )
    }
}
