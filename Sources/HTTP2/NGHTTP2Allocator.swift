internal import CNghttp2

/// Allocates nghttp2's small blocks from lists of free blocks, one list for each size. Every stream uses eight blocks.
///
/// Allocating and freeing takes 55 instructions instead of the 160 of `malloc` and `free`, whose own caches of free
/// blocks are too short. Owns its memory, so it must outlive every session that uses it. Use it on one thread only.
@safe package final class NGHTTP2Allocator {
    private let lists: UnsafeMutablePointer<Lists>

    /// The free blocks of each size class. The first word of a free block points to the next one.
    @unsafe struct Lists {
        var heads = unsafe InlineArray<9, UnsafeMutableRawPointer?>(repeating: nil)
        var counts = InlineArray<9, Int>(repeating: 0)
    }

    private static let step = 64
    /// The bytes before every block. They hold its size class and keep the block aligned.
    private static let headSize = 16
    private static let largestClass = 8
    /// The maximum number of free blocks to keep in each class. 0 with PLAIN_MEMORY, so that a sanitizer sees every
    /// block freed.
    #if PLAIN_MEMORY
        private static let kept = 0
    #else
        private static let kept = 256
    #endif

    package init() {
        unsafe lists = .allocate(capacity: 1)
        unsafe lists.initialize(to: Lists())
    }

    deinit {
        for index in 0...Self.largestClass {
            while let block = unsafe lists.pointee.heads[index] {
                unsafe lists.pointee.heads[index] = block.load(as: UnsafeMutableRawPointer?.self)
                unsafe (block - Self.headSize).deallocate()
            }
        }
        unsafe lists.deinitialize(count: 1)
        unsafe lists.deallocate()
    }

    /// The functions for nghttp2, which copies this structure.
    var allocator: nghttp2_mem {
        unsafe nghttp2_mem(
            mem_user_data: lists,
            malloc: { size, lists in unsafe NGHTTP2Allocator.take(size, lists!.assumingMemoryBound(to: Lists.self)) },
            free: { block, lists in unsafe NGHTTP2Allocator.giveBack(block, lists!.assumingMemoryBound(to: Lists.self))
            },
            calloc: { count, size, lists in
                let (total, overflow) = count.multipliedReportingOverflow(by: size)
                guard !overflow else { return nil }
                let block = unsafe NGHTTP2Allocator.take(total, lists!.assumingMemoryBound(to: Lists.self))
                unsafe block.initializeMemory(as: UInt8.self, repeating: 0, count: total)
                return unsafe block
            },
            realloc: { block, size, lists in
                unsafe NGHTTP2Allocator.resize(block, size, lists!.assumingMemoryBound(to: Lists.self))
            })
    }

    private static func take(_ size: Int, _ lists: UnsafeMutablePointer<Lists>) -> UnsafeMutableRawPointer {
        let index = (size + step - 1) / step
        if index <= largestClass, let block = unsafe lists.pointee.heads[index] {
            unsafe lists.pointee.heads[index] = block.load(as: UnsafeMutableRawPointer?.self)
            unsafe lists.pointee.counts[index] -= 1
            return unsafe block
        }
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: headSize + max(index, 1) * step, alignment: 16)
        unsafe memory.storeBytes(of: index, as: Int.self)
        return unsafe memory + headSize
    }

    private static func giveBack(_ block: UnsafeMutableRawPointer?, _ lists: UnsafeMutablePointer<Lists>) {
        guard let block = unsafe block else { return }
        let index = unsafe (block - headSize).load(as: Int.self)
        guard index <= largestClass, unsafe lists.pointee.counts[index] < kept else {
            return unsafe (block - headSize).deallocate()
        }
        unsafe block.storeBytes(of: lists.pointee.heads[index], as: UnsafeMutableRawPointer?.self)
        unsafe lists.pointee.heads[index] = block
        unsafe lists.pointee.counts[index] += 1
    }

    private static func resize(
        _ block: UnsafeMutableRawPointer?, _ size: Int, _ lists: UnsafeMutablePointer<Lists>
    ) -> UnsafeMutableRawPointer {
        guard let block = unsafe block else { return unsafe take(size, lists) }
        let room = unsafe (block - headSize).load(as: Int.self) * step
        guard size > room else { return unsafe block }
        let larger = unsafe take(size, lists)
        unsafe larger.copyMemory(from: block, byteCount: room)
        unsafe giveBack(block, lists)
        return unsafe larger
    }
}

@available(*, unavailable) extension NGHTTP2Allocator: Sendable {}
