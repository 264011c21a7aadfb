internal import CMalloc

/// The memory that this process takes from the system.
package enum Heap {
    /// Larger blocks get pages of their own, which go back to the system as soon as the block is freed.
    private static let blockSize: Int32 = 1 << 20

    /// Makes the allocator give large blocks back at once. By default, the allocator raises its limit for large blocks
    /// to the size of each large block that is freed. From then on, it keeps freed blocks up to that size.
    package static func configure() { _ = mallopt(M_MMAP_THRESHOLD, blockSize) }

    /// Gives the free pages of small blocks back.
    package static func giveBack() { _ = malloc_trim(0) }
}
