import ArgumentParser

struct ServerKeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "server-key",
        abstract: "Manage the public keys of servers that call a network service.",
        discussion: """
            A server signs its requests with its private key, which never leaves it. It uses the public database of one environment \
            of one container, as a user of its own. The ID of a key is the SHA-256 of the public key.

            EXAMPLE
              openssl ecparam -name prime256v1 -genkey -noout -out private.pem
              openssl ec -in private.pem -pubout -out public.pem
              kinfolk server-key add com.example.notes public.pem
            """,
        subcommands: [ServerKeyAdd.self, ServerKeyList.self, ServerKeyRemove.self]
    )
}
