internal import CUV

extension SocketAddress {
    /// The addresses that the network interfaces of this machine have now, without ports. Empty if the system does not
    /// tell.
    package static var ofThisMachine: [SocketAddress] {
        var interfaces: UnsafeMutablePointer<uv_interface_address_t>?
        var count: Int32 = 0
        guard unsafe uv_interface_addresses(&interfaces, &count) == 0, let list = unsafe interfaces else { return [] }
        defer { unsafe uv_free_interface_addresses(list, count) }
        return (0..<Int(count)).map { index in
            var storage = sockaddr_storage()
            unsafe withUnsafeMutableBytes(of: &storage) { bytes in
                unsafe withUnsafeBytes(of: list[index].address) { unsafe bytes.copyMemory(from: $0) }
            }
            return SocketAddress(raw: storage)
        }
    }
}
