// What code for a sender needs to know of this gateway. Pure: no elements, no calls.

/** A token that could be a real one. The gateway makes a device for it. */
const APNS_TOKEN = "a1b2c3d4".repeat(8);
const FCM_TOKEN = `cFirstMessage123456789:APA91b${"x".repeat(134)}`;
/** What Pushpit's client certificate is for. */
const TOPIC = "com.example.app";

/**
 * @param credentials what GET /credentials answers
 * @param address `host:port` of the gateway, under the name that the page was opened with
 * @param devices devices whose tokens stand in the code
 */
export function valuesOf(credentials, address, devices = []) {
  const { hostname: host, port } = new URL(`http://${address}`);
  const { directory, ca, apnsKeys, serviceAccounts } = credentials;
  const { keyId = "KEYID12345", teamId = "TEAM567890" } = apnsKeys[0] ?? {};
  const at = (platform) => devices.find((device) => device.platform === platform && device.app === TOPIC && device.installed !== false);
  const file = (name) => `${directory}/${name}`;
  return {
    host, name: host.replace(/^\[|\]$/g, ""), port: port || "80", url: `https://${host}:${port || "443"}`, plain: `http://${host}:${port || "80"}`,
    directory, ca, keyId, teamId, topic: TOPIC,
    key: file(`AuthKey_${keyId}.p8`), certificate: file("apns-client.pem"), p12: file("apns-client.p12"), trust: file("ca.p12"),
    account: file("service-account.json"),
    project: /@([^.]+)\./.exec(serviceAccounts[0] ?? "")?.[1] ?? "pushpit-local",
    apnsToken: at("ios")?.tokens.apns?.token ?? APNS_TOKEN,
    fcmToken: at("android")?.tokens.fcm?.token ?? FCM_TOKEN,
  };
}
