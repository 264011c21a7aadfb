internal import PushCore
internal import TLS

/// Inspects an environment: proxy, trust, credentials, hosts, clock, and the gateway.
package enum EnvironmentInspector {
    package static func inspect(_ facts: EnvironmentFacts) -> Inspected {
        var draft = InspectionDraft(.environment)
        checkProxy(facts, &draft)
        for name in EnvironmentFacts.bundles { checkBundle(name, facts, &draft) }
        checkAccount(facts, &draft)
        checkClock(facts, &draft)
        if facts.isInsideExec {
            draft.note("this runs inside pushpit exec, which redirects the push hosts to its gateway")
        } else {
            checkHosts(facts.hosts ?? "", &draft)
            checkTracing(facts, &draft)
        }
        switch facts.gateway.state {
        case .ready: draft.note("a gateway answers at \(facts.gateway.url)")
        case .otherProgram: draft.add(EnvironmentRule.otherProgram, facts.gateway.url)
        case .unreachable: draft.add(EnvironmentRule.noGateway, facts.gateway.url)
        }
        return Inspected(
            label: "the \(draft.kind.title)", report: draft.report, kind: draft.kind, links: draft.links)
    }

    private static func checkTracing(_ facts: EnvironmentFacts, _ draft: inout InspectionDraft) {
        if facts.canTrace {
            draft.note("pushpit exec can redirect every program to a gateway (--via trace)")
        } else {
            draft.add(EnvironmentRule.noTracing)
        }
    }

    private static func checkProxy(_ facts: EnvironmentFacts, _ draft: inout InspectionDraft) {
        let set = EnvironmentFacts.proxies.compactMap { name in facts.variables[name].map { (name, $0) } }
        guard let (name, proxy) = set.first else { return }
        let shown = withoutPassword(proxy)
        if !proxy.includes("://") {
            draft.add(EnvironmentRule.proxyScheme, name, shown.quoted)
        } else {
            let isOwn = facts.ownProxies.contains(name)
            draft.add(isOwn ? EnvironmentRule.ownProxy : .proxy, name, shown.quoted)
        }
        if set.contains(where: { $0.1 != proxy }) {
            draft.add(EnvironmentRule.twoProxies, set.map(\.0).joined(separator: ", "))
        }
        let lists = EnvironmentFacts.exclusions.compactMap { facts.variables[$0] }.joined(separator: ",")
        let entries = lists.split { $0 == "," || $0 == " " }.map { $0.lowercased().drop { $0 == "*" || $0 == "." } }
        let exempted = Vendor.imitatedHosts.filter { host in
            entries.contains { $0.isEmpty || host == $0 || host.hasSuffix(".\($0)") }
        }
        if let first = exempted.first { draft.add(EnvironmentRule.exempted, String(exempted.count), first) }
    }

    /// The address without the user name and the password in it.
    private static func withoutPassword(_ address: String) -> String {
        guard address.contains("@") else { return address }
        let host = address.split(separator: "@").last ?? ""
        let scheme = address.pieces(separatedBy: "://").first ?? ""
        return address.includes("://") ? "\(scheme)://…@\(host)" : "…@\(host)"
    }

    private static func checkBundle(_ name: String, _ facts: EnvironmentFacts, _ draft: inout InspectionDraft) {
        guard let path = facts.variables[name], let file = facts.files[path] else { return }
        switch file {
        case .missing: draft.add(EnvironmentRule.noBundle, name, path.quoted)
        case .unreadable(let reason): draft.add(EnvironmentRule.unreadable, name, reason)
        case .content(let bytes):
            guard let chain = try? Certificate.chain(pem: bytes) else {
                return draft.add(EnvironmentRule.notPEM, name, path.quoted)
            }
            draft.note("\(name): \(chain.count) authorities")
            guard let own = facts.authority.flatMap({ try? Certificate(pem: $0).fingerprint }) else { return }
            if !chain.contains(where: { (try? $0.fingerprint) == own }) {
                draft.add(EnvironmentRule.notTrusted, name, path.quoted)
            }
        }
    }

    private static func checkAccount(_ facts: EnvironmentFacts, _ draft: inout InspectionDraft) {
        let name = EnvironmentFacts.account
        guard let path = facts.variables[name], let file = facts.files[path] else { return }
        switch file {
        case .missing: draft.add(EnvironmentRule.noAccount, path.quoted)
        case .unreadable(let reason): draft.add(EnvironmentRule.unreadable, name, reason)
        case .content(let bytes):
            let report = Inspector.inspect(InspectionInput(bytes, name: nil), at: facts.now).report
            draft.note("\(name): \(report.title)")
            if report.kind != InspectedKind.serviceAccount.rawValue, !report.hasErrors {
                draft.add(EnvironmentRule.otherAccount, path.quoted, report.title)
            }
            report.problems.forEach { draft.add($0) }
        }
    }

    private static func checkHosts(_ hosts: String, _ draft: inout InspectionDraft) {
        let known = Vendor.imitatedHosts
        for line in hosts.split(whereSeparator: \.isNewline).prefix(10_000) {
            let words = line.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace).map { $0.lowercased() }
            guard let address = words.first else { continue }
            for host in words.dropFirst() where known.contains(host) {
                let isLoopback = address.hasPrefix("127.") || address.hasPrefix("::ffff:127.") || address == "::1"
                if isLoopback {
                    draft.add(EnvironmentRule.hostsEntry, host, address)
                } else {
                    draft.add(EnvironmentRule.foreignHost, host, address.quoted)
                }
            }
        }
    }

    /// 2020-01-01, before which no version of this program existed.
    private static let start: Int64 = 1_577_836_800
    /// How far ahead of the clock files may be.
    private static let tolerance: Int64 = 3600

    private static func checkClock(_ facts: EnvironmentFacts, _ draft: inout InspectionDraft) {
        let now = facts.now.seconds
        draft.note("the clock says \(Subject.date(now))")
        if now < start {
            draft.add(EnvironmentRule.clockNotSet, Subject.date(now))
        } else if let newest = facts.newestFile, newest > now &+ tolerance {
            draft.add(EnvironmentRule.clockBehind, Subject.duration(newest &- now))
        }
    }
}
