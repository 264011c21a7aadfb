/// Keys and certificates made by other programs, and malformed ones.
enum PEMFixture {
    /// Made with `openssl req -x509` and a configuration with ASN1 lines. It has the production marker (…6.3.2), the
    /// lists …6.3.4 (one topic without kinds, one with) and …6.3.6 (one topic with two kinds), and three kinds of
    /// names.
    static let voIPCertificate = """
        -----BEGIN CERTIFICATE-----
        MIIC5TCCAougAwIBAgIUJTFlNJ5ohuSK+EQwLYXnU/JPpS4wCgYIKoZIzj0EAwIw
        VzEfMB0GCgmSJomT8ixkAQEMD2NvbS5maXh0dXJlLmFwcDEnMCUGA1UEAwweVm9J
        UCBTZXJ2aWNlczogY29tLmZpeHR1cmUuYXBwMQswCQYDVQQGEwJERTAeFw0yNjEx
        MjEwNDE1MDFaFw0yNzExMjEwNDE1MDFaMFcxHzAdBgoJkiaJk/IsZAEBDA9jb20u
        Zml4dHVyZS5hcHAxJzAlBgNVBAMMHlZvSVAgU2VydmljZXM6IGNvbS5maXh0dXJl
        LmFwcDELMAkGA1UEBhMCREUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAR9thyx
        dqxmeU3xm9z215I+MoA6m2LPS1uycxXewiyq0nyDRtnWYyOfm5Werj0It+tAvhUB
        Z0lDqYrorQpIRaMWo4IBMzCCAS8wDAYDVR0TAQH/BAIwADATBgNVHSUEDDAKBggr
        BgEFBQcDAjBEBgNVHREEPTA7ghFwdXNoLmZpeHR1cmUudGVzdIcECgECA4cQ/oAA
        AAAAAAAAAAAAAAAAAYEOYUBmaXh0dXJlLnRlc3QwEAYKKoZIhvdjZAYDAgQCBQAw
        RgYKKoZIhvdjZAYDBAQ4MDYMFGNvbS5maXh0dXJlLmFwcC52b2lwDBZjb20uZml4
        dHVyZS5vdGhlci52b2lwMAYMBHZvaXAwSwYKKoZIhvdjZAYDBgQ9MDsMD2NvbS5m
        aXh0dXJlLmFwcDAFDANhcHAMFGNvbS5maXh0dXJlLmFwcC5jbGlwMAsMA2FwcAwE
        Y2xpcDAdBgNVHQ4EFgQUccvftJWdyGNxyod6G2kzgXdLFawwCgYIKoZIzj0EAwID
        SAAwRQIhAMFCz7PxERMYxBf/qfwPmN9uqoiJwSz9FfJ+1cwRfrrAAiBJCSNtLsF3
        W29ZPTRVx5zdeRxixllcNjUeRqRD3pRymA==
        -----END CERTIFICATE-----

        """

    /// A P-256 key encrypted with a password.
    static let encryptedKey = """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAh+qv2FrjIZyQICCAAw
        DAYIKoZIhvcNAgkFADAdBglghkgBZQMEAQIEEMjG+tXUoPu1KOvP8fdM/hUEgZBq
        vSbatG383uMvqVE1gau0YnAD8AcF8JZRCOU8wuAJznoqO6jx96YzCmgd3AowJf3T
        bL3AZdMe751T/cCcnFgnq+B0aCCBe7WJW9Rf/4kTFUs3uZqjjX+sVYQpGSCgL/1H
        Z44WkLX6ImrLI2p5+mmRQbFaafOpAwn5pN5barknQgEJnh7IqMuvXwCkF5Op0uw=
        -----END ENCRYPTED PRIVATE KEY-----

        """

    /// A key that supports neither ES256 nor RS256.
    static let ed25519Key = """
        -----BEGIN PRIVATE KEY-----
        MC4CAQAwBQYDK2VwBCIEINRmYVeg31XQR4xQhLFS5l0yq/D0DTq6dEyOXJrmhN0/
        -----END PRIVATE KEY-----

        """

    /// Texts that are neither a key nor a certificate.
    static let garbage = [
        "", "\n", "hello", "-----BEGIN CERTIFICATE-----", "-----BEGIN PRIVATE KEY-----\n",
        "-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n",
        "-----BEGIN CERTIFICATE-----\nMIIC5TCCAougAwIBAgIU\n-----END CERTIFICATE-----\n",
        "-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMGByqGSM49\n-----END PRIVATE KEY-----\n",
        "-----BEGIN PUBLIC KEY-----\n????\n-----END PUBLIC KEY-----\n",
        String(repeating: "-----BEGIN CERTIFICATE-----\n", count: 20),
    ]
}
