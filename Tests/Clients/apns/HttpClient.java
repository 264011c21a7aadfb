// client: Java, HttpClient
// package: deb:default-jdk-headless
// version: javac --version
// set: `-Djavax.net.ssl.trustStore=certs/ca.p12 -Djavax.net.ssl.trustStorePassword=pushpit`; `https://localhost:2197`
//   in the URL
// trap: After a GOAWAY, every open request ends with an IOException, and none is repeated.
// trap: Does not wait when the stream limit is reached: IOException `too many concurrent streams`. After a refusal,
//   Apple may lower the limit to 1.
// trap: Mostly opens its first stream before it reads the first SETTINGS. If it reads them first and they allow no stream,
//   the push fails with an IOException or an UncheckedIOException.
// 
// accepted       | ok | 1
// bad token      | 400 BadDeviceToken | 1
// unregistered   | 410 Unregistered | 1
// expired        | 403 ExpiredProviderToken; ok | 3
// too large      | 413 PayloadTooLarge | 1
// quota          | 429 TooManyRequests | 1
// unavailable    | 503 ServiceUnavailable | 1
// GOAWAY         | 49..99 ok, 1..51 IOException | 51..101
// concurrent     | 500 ok | 501
// unknown reason | 410 ExpiredToken; 403 BadEnvironmentKeyInToken | 2
// first SETTINGS | - | whether it opens a stream before it reads them varies

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.Scanner;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;

class Push {
    static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();
    static final Pattern REASON = Pattern.compile("\"reason\": ?\"(\\w*)\"");
    static final HttpClient client = HttpClient.newHttpClient();
    static volatile String bearer;

    static String sign() throws Exception {
        String pem = Files.readString(Path.of(System.getenv("PUSHPIT_APNS_KEY"))).replaceAll("-----.*-----|\\s", "");
        PrivateKey key = KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(pem)));
        String header = "{\"alg\":\"ES256\",\"kid\":\"" + System.getenv("PUSHPIT_APNS_KEY_ID") + "\"}";
        String claims = "{\"iss\":\"" + System.getenv("PUSHPIT_APNS_TEAM_ID") + "\",\"iat\":" + System.currentTimeMillis() / 1000 + "}";
        String text = BASE64.encodeToString(header.getBytes()) + "." + BASE64.encodeToString(claims.getBytes());
        Signature signature = Signature.getInstance("SHA256withECDSAinP1363Format");
        signature.initSign(key);
        signature.update(text.getBytes());
        return text + "." + BASE64.encodeToString(signature.sign());
    }

    static CompletableFuture<String> push(String token, String body) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("https://api.push.apple.com/3/device/" + token))
            .header("authorization", "bearer " + bearer)
            .header("apns-topic", System.getenv("PUSHPIT_APNS_TOPIC"))
            .header("apns-push-type", "alert")
            .POST(HttpRequest.BodyPublishers.ofString(body)).build();
        return client.sendAsync(request, HttpResponse.BodyHandlers.ofString()).handle(Push::outcome);
    }

    static String outcome(HttpResponse<String> answer, Throwable failure) {
        if (failure != null) {
            Throwable cause = failure.getCause() == null ? failure : failure.getCause();
            return cause.getClass().getSimpleName();
        }
        if (answer.statusCode() == 200) return "ok";
        if (answer.statusCode() == 403) bearer = null;
        var reason = REASON.matcher(answer.body());
        return answer.statusCode() + (reason.find() ? " " + reason.group(1) : "");
    }

    public static void main(String[] arguments) throws Exception {
        System.out.println("= ready " + System.getenv("PUSHPIT_URL") + " " + System.getenv("PUSHPIT_CA"));
        Scanner lines = new Scanner(System.in);
        while (lines.hasNextLine()) {
            String[] words = lines.nextLine().split(" ");
            if (!words[0].equals("send")) continue;
            if (bearer == null) bearer = sign();
            String body = "{\"aps\":{\"alert\":\"Hello" + "x".repeat(Integer.parseInt(words[1])) + "\"}}";
            var pushes = Arrays.stream(words).skip(2).map(token -> push(token, body)).toList();
            for (var push : pushes) System.out.println("= " + push.get());
        }
    }
}
