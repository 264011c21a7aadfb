package import PushCore

/// Passes the events of devices on to their viewers, the sockets that watch them. The engine calls it in the middle of
/// its work, so an implementation must only collect the events, and never call the engine.
package protocol DeviceNotifier: AnyObject {
    /// - Parameters:
    ///   - viewers: all viewers of the device, each with the frames that it wants.
    ///   - arrival: the push that arrived with the event, for viewers that want pushes.
    func notify(_ viewers: [PushEngine.Viewer], of event: Event, _ arrival: PushEngine.InboundPush?)

    /// The device of these viewers was deleted.
    func dismiss(_ viewers: [PushEngine.Viewer])
}
