import PushCore

/// Files that `openssl` made for these tests. Their keys are used nowhere else.
enum OpenSSLFiles {
    /// `openssl pkcs12 -export -keypbe NONE -certpbe NONE -macalg sha1 -iter 9000000`, with an empty password.
    static let slow = decoded(
        """
        MIIDDgIBAzCCAtIGCSqGSIb3DQEHAaCCAsMEggK/MIICuzCCAdwGCSqGSIb3DQEHAaCCAc0EggHJMIIBxTCCAcEGCyqGSIb3DQEM
        CgEDoIIBiTCCAYUGCiqGSIb3DQEJFgGgggF1BIIBcTCCAW0wggEToAMCAQICFBvANf1NmrVYQdXgV3taoNHyn/u5MAoGCCqGSM49
        BAMCMAwxCjAIBgNVBAMMAXgwHhcNMjYxMTI2MDEzNTA1WhcNMzYxMTIzMDEzNTA1WjAMMQowCAYDVQQDDAF4MFkwEwYHKoZIzj0C
        AQYIKoZIzj0DAQcDQgAEMvXcm6VQVB31NKWTgumneTQxH+YTtjnQRNadIfKwLk6MZNFynIapIp7Q6pqC4EAJs2ZZDgAZYazeGgjy
        f+skxqNTMFEwHQYDVR0OBBYEFAUr5c6Jn2a6G+I4Has1SYOejZYJMB8GA1UdIwQYMBaAFAUr5c6Jn2a6G+I4Has1SYOejZYJMA8G
        A1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIgRzRmlh89REU8cdkfAG6Ct5O8ICcgfTur3KchcLPTjzcCIQCvbPwSf0Mu
        6qswVG+dnWXXdUNXmJH5GU6zVndfvczGAzElMCMGCSqGSIb3DQEJFTEWBBTzQABhbhJbccn9fjSs1iub8RrmpjCB2AYJKoZIhvcN
        AQcBoIHKBIHHMIHEMIHBBgsqhkiG9w0BDAoBAaCBijCBhwIBADATBgcqhkjOPQIBBggqhkjOPQMBBwRtMGsCAQEEID4SfEn4cl2t
        m6ku9e2aQH/LEY4ivlA37tUv1KxydyrtoUQDQgAEMvXcm6VQVB31NKWTgumneTQxH+YTtjnQRNadIfKwLk6MZNFynIapIp7Q6pqC
        4EAJs2ZZDgAZYazeGgjyf+skxjElMCMGCSqGSIb3DQEJFTEWBBTzQABhbhJbccn9fjSs1iub8RrmpjAzMCEwCQYFKw4DAhoFAAQU
        1XhewMOWnYgq2YUEqfBVnFHF59EECChCBwnwtJQrAgQAiVRA
        """)

    /// `openssl pkcs12 -export -legacy -certpbe PBE-SHA1-RC2-128`, with the password `secret`.
    static let rc2 = decoded(
        """
        MIID+gIBAzCCA8AGCSqGSIb3DQEHAaCCA7EEggOtMIIDqTCCAp8GCSqGSIb3DQEHBqCCApAwggKMAgEAMIIChQYJKoZIhvcNAQcB
        MBwGCiqGSIb3DQEMAQUwDgQIJ9gjRchaM+YCAggAgIICWPSDHbRlZmLr81dUj6+dFxsxosFwNwj0+Pdqx4K6AxLFSOeZVSmFElUm
        udhQ045TnwAnVWGA2cT89ri6yAYR/8TyDoo6I1NcYYEPX0s+n2ZbLECQHWDwy6aPFsZPiHwDpGjjAgSmiK0oCuUvwVVTRC11SPEp
        i0J8DrBKDj9AlWkMg/gXdJ1eGBWK+axOY+kWCQp7wYAtIBpT7qnvJp7uE47UF2d2GUFf/4a595+XETNbdUYcNxbtNR81pYtcsUV9
        nwAo61xhkWZaeEZ/pHtO0LW3SP2KNpa8bFXsAqMWPazmuDJSLOquCcmqJEhu/+WxybfRojYMMTBfbcS+elYRYHHqgorguirQ06nY
        onnUyjM8aGMEuof7U0Zn9LoZZsq+XhrNjjf30aYi4NLWQ4o4c2wxpONqhNs7fFM28gDOgflbDOOIIFXZI3Y3Lan+fYVDLZVeY9EX
        wwj54t+Ccqw+HX1Y5SIlXccle5DC8qroEltkAJCs0P13t8px3Hgxadf6eSfhZZZVGkRfYVX4QGn5Xpyi3rFpYuPZBmBlKo0jduu6
        dolkB51FTalTURFIVEzsMFB+UafBOXVgIInj3J/Qh/JBP9Q1pjNOmgxfaVfrNfbfiiAsV7aI6Ey4sqRqlKu2lXgDe80DrFRYUIEb
        UvViA/FVrzp7UVzQNpgh8NoRbSQe7ycyYO4yFizOhMjBCXDm7SZZphzR1kMuPH9IfnZ7GId3V6AL55Mqc7T6etsvku/GyR8htoba
        tpGOXUi1EUlAwGAU+mA76AvWFIvG7DSkCnBksY24QTLjejCCAQIGCSqGSIb3DQEHAaCB9ASB8TCB7jCB6wYLKoZIhvcNAQwKAQKg
        gbQwgbEwHAYKKoZIhvcNAQwBAzAOBAjkG9PxRG57MQICCAAEgZBOVxbpQB9LmUPlKCf0PXmj13jAX1mWLrW7LJV6PDNr9EzWsXZc
        bjMw3l/LA+4i3fqiCZryeKxzXahWIGUpHVTCI1DSWdlOStN1jaYcHCLVna+gYnef0Tn75sfJ4g9VbgTDp8GyYR8INpjOd3hwe+DV
        csYzrR+tYQ7OhJUy44Yllq7N0WPI6vooLcR43BeZWMwxJTAjBgkqhkiG9w0BCRUxFgQUAQzrwlrq1DBMr4p3EnLX2sJU4FYwMTAh
        MAkGBSsOAwIaBQAEFBS3q47fD3BjwK4jzoGKI5GXFsUKBAi/h7PkGlM+XgICCAA=
        """)

    /// `openssl pkcs12 -export -nomac`, with the password `secret`.
    static let withoutMAC = decoded(
        """
        MIIDzAIBAzCCA8UGCSqGSIb3DQEHAaCCA7YEggOyMIIDrjCCAmUGCSqGSIb3DQEHAaCCAlYEggJSMIICTjCCAkoGCyqGSIb3DQEM
        CgEDoIICEjCCAg4GCiqGSIb3DQEJFgGgggH+BIIB+jCCAfYwggGboAMCAQICFFBAPY/iF6Du2z0H6hEbKq0Z0B5qMAoGCCqGSM49
        BAMCMFAxHzAdBgoJkiaJk/IsZAEBDA9jb20uZXhhbXBsZS5hcHAxLTArBgNVBAMMJEFwcGxlIFB1c2ggU2VydmljZXM6IGNvbS5l
        eGFtcGxlLmFwcDAeFw0yNjExMjYwOTA3MjJaFw0zNjExMjMwOTA3MjJaMFAxHzAdBgoJkiaJk/IsZAEBDA9jb20uZXhhbXBsZS5h
        cHAxLTArBgNVBAMMJEFwcGxlIFB1c2ggU2VydmljZXM6IGNvbS5leGFtcGxlLmFwcDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IA
        BNRifUQ9fgCzPk5H/eIJXt2rIWV4uUj133o9Tb2QDa8GMDyO/I5v0uw0JSsaMPdZzAmICiVHykm7CEEqz4SNHgijUzBRMB0GA1Ud
        DgQWBBRNf4ka1CsMI8qxvFiKPo4Lt/hJ1jAfBgNVHSMEGDAWgBRNf4ka1CsMI8qxvFiKPo4Lt/hJ1jAPBgNVHRMBAf8EBTADAQH/
        MAoGCCqGSM49BAMCA0kAMEYCIQCFE15GACgl2k1FJwmuTPTQrRdQN/5wEJWoM1qS4FLEKgIhAMY/1pl+NBw4wjbAHnewaRevGFH2
        KWhMQ40rwfqY3hxpMSUwIwYJKoZIhvcNAQkVMRYEFAEM68Ja6tQwTK+KdxJy19rCVOBWMIIBQQYJKoZIhvcNAQcBoIIBMgSCAS4w
        ggEqMIIBJgYLKoZIhvcNAQwKAQKgge8wgewwVwYJKoZIhvcNAQUNMEowKQYJKoZIhvcNAQUMMBwECJL9Fqj4z2c9AgIIADAMBggq
        hkiG9w0CCQUAMB0GCWCGSAFlAwQBKgQQr2QbTaKmt46VyjY9+13dNwSBkIvndhYxfiERyr7vB6PaL+Atw1dcO/uiCEVdpB+p8MVJ
        ylAgKYV/EJLhWT5N7zatMbjDH6JPuu2BJgXBMdAg/tfwlSMfXZkIwbKMphGCwHRKhH1QUybaMlfk5wcD8cklxioNiDAjrTmb3F23
        wVkCboCpINKkip6lnMI/7UaO4dQ8f89dEmVTtMoB38EODPCQSjElMCMGCSqGSIb3DQEJFTEWBBQBDOvCWurUMEyvincSctfawlTg
        Vg==
        """)

    /// `openssl pkcs12 -export -legacy -keypbe NONE -certpbe PBE-SHA1-RC2-40`, with an empty password.
    static let oldCipher = decoded(
        """
        MIIDRwIBAzCCAw0GCSqGSIb3DQEHAaCCAv4EggL6MIIC9jCCAhcGCSqGSIb3DQEHBqCCAggwggIEAgEAMIIB/QYJKoZIhvcNAQcB
        MBwGCiqGSIb3DQEMAQYwDgQIerKfV1olyAMCAggAgIIB0IaEpw4MaV9b3ZU4X3wdSOGcOZKkMEAx/KiSDUMU9gTAABa6qGTZpKOd
        Q4YRjr6BC8mV3DHjahvNi44n9un0SjBdFlKLBDe0jDBRVQi+kdbcOccaaO0Sowe2bCHKj48r6rf7jPEuJAgK9XsbEhlYsMfZuW9u
        sE0jjLB1yt/fvExfVQ/lNwU9akVk5nd5dUZcDbVzXaj1ctYBSbN9JnyHlnWVsQ8PWvLiKVi+oOcG7FTLHOSJPTe37UgkmT8po0t3
        IRJJhMcTqdBZHhAar1nUZgouSJS5bG1po7JtxyW44ljbh4MJoLFuDuFZ9V3Cg07J6J4YQJyWdYahBGfs7HAvCJ8GUtcXcSoOMne0
        aehlXh9M3gQXjjBmZSAzHTovzNJbSAgbNNxz/PhRA1Lki8mOlDljodSZXAFqzSKdgEDqkDt7KgyCBp60KVzX4hXiJ+Y7rr8dfUF+
        jFpkCrxkoNnycTN2zq/8Zr7X0oLMrXeNb1d++3PM90Yhva6buOujh48BargjAlLnVOMCC8pdHWa/DMJQUEuz/6UiZG2X35cE9qkv
        4WRuZ528R2Eume0pbMiHdxZSvkldBa7QQZzXQYVMV+tJ3tC5bpQdbD6owUEZjzCKMIHYBgkqhkiG9w0BBwGggcoEgccwgcQwgcEG
        CyqGSIb3DQEMCgEBoIGKMIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgPhJ8SfhyXa2bqS717ZpAf8sRjiK+UDfu
        1S/UrHJ3Ku2hRANCAAQy9dybpVBUHfU0pZOC6ad5NDEf5hO2OdBE1p0h8rAuToxk0XKchqkintDqmoLgQAmzZlkOABlhrN4aCPJ/
        6yTGMSUwIwYJKoZIhvcNAQkVMRYEFPNAAGFuEltxyf1+NKzWK5vxGuamMDEwITAJBgUrDgMCGgUABBR+8+MAeXGyeW803S9UiEmv
        EJ9QhAQIC/zwifCErfcCAggA
        """)

    /// `openssl pkcs12 -export -nocerts`, with an empty password.
    static let withoutCertificate = decoded(
        """
        MIIBAQIBAzCByAYJKoZIhvcNAQcBoIG6BIG3MIG0MIGxBgkqhkiG9w0BBwGggaMEgaAwgZ0wgZoGCyqGSIb3DQEMCgEBoIGKMIGH
        AgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgPhJ8SfhyXa2bqS717ZpAf8sRjiK+UDfu1S/UrHJ3Ku2hRANCAAQy9dyb
        pVBUHfU0pZOC6ad5NDEf5hO2OdBE1p0h8rAuToxk0XKchqkintDqmoLgQAmzZlkOABlhrN4aCPJ/6yTGMDEwITAJBgUrDgMCGgUA
        BBR2u/46DTvQdeWHCNMyEZRE5Z0UgQQISUoCphTw64MCAggA
        """)

    /// A key on P-384.
    static let otherCurve = """
        -----BEGIN PRIVATE KEY-----
        MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDB3VubmFvgx5SvEUCz+
        C88PA81ov5AHfdkmq7aYtRtXdaNb449r6uxUG3mmGMRGOJuhZANiAASitvUAtfRc
        veMstIVP/lIX47IlISCMZD5BBsBoepvT9+Aiu7IkuSi0XmzKfCvIZo8hmmSodLyz
        v/L45wiF2YwL444ZvICgxpZxTP+IjJ+HgOyew2S7gjy7+lbBYE1WPKs=
        -----END PRIVATE KEY-----

        """

    private static func decoded(_ base64: String) -> [UInt8] {
        Base64URL.decodeAny(base64.utf8.filter { $0 != 0x0A }) ?? []
    }
}
