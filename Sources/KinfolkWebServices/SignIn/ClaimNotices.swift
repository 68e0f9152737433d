import Kinfolk

/// Tells the owners of addresses that somebody claims them.
enum ClaimNotices {
    /// Mails the notices of all claims whose owners do not know of them.
    static func mailAll(_ services: WebServices, _ language: PageLanguage) throws(KinfolkError) {
        var last: ClaimID?
        while case let claims = try services.service.emailClaims(after: last), !claims.isEmpty {
            for claim in claims where claim.state == .awaitingNotice { try mail(claim, services, language) }
            last = claims.last?.id
        }
    }

    /// Mails the notice of a claim to all addresses of the owner. The wait begins when all mails are on their way.
    static func mail(_ claim: EmailClaim, _ services: WebServices, _ language: PageLanguage) throws(KinfolkError) {
        guard let send = services.configuration.sendMail else { return }
        let minutes = Int((try services.service.claimWait() / 60).rounded(.up))
        var areSent = true
        for recipient in claim.notice {
            let message = services.notice(of: .claim(address: claim.address, minutes: minutes), to: recipient)
            areSent = send(message.mail(language)) && areSent
        }
        guard areSent else { return }
        do throws(KinfolkError) { _ = try services.service.acknowledgeNotice(of: claim.id) } catch
            where error.code == .unknownItem
        {}
    }
}
