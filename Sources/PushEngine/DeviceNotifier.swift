package import PushCore

/// Where the engine reports what the viewers of a device are to be sent. The engine calls it while it works, so an
/// implementation only collects and never calls the engine.
package protocol DeviceNotifier: AnyObject {
    /// - Parameters:
    ///   - viewers: everybody who watches the device; each says what it wants.
    ///   - arrival: the push that has come with the event, for viewers that want pushes.
    func notify(_ viewers: [PushEngine.Viewer], of event: Event, _ arrival: PushEngine.Inbound?)

    /// The device was deleted: these viewers have nothing to watch any more.
    func dismiss(_ viewers: [PushEngine.Viewer])
}
