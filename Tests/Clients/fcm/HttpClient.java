// client: Java, HttpClient
// package: deb:default-jdk-headless
// width: 100
// version: javac --version
// set: `-Djavax.net.ssl.trustStore=certs/ca.p12 -Djavax.net.ssl.trustStorePassword=pushpit`; `https://localhost:2197`
//   in the URL
// trap: Uses HTTP/2. After a GOAWAY, every open request ends with an IOException, and none is repeated.
// trap: Does not wait when the stream limit, 100, is reached: IOException `too many concurrent streams`. If 500 requests
//   start at once, about half of them fail. The program of this test keeps at most 100 open.
// 
// accepted     | ok | 1
// bad token    | 400 INVALID_ARGUMENT | 1
// unregistered | 404 NOT_FOUND | 1
// expired      | 401 UNAUTHENTICATED; ok | 3
// too large    | 400 INVALID_ARGUMENT | 1
// quota        | 429 RESOURCE_EXHAUSTED | 1
// unavailable  | 503 UNAVAILABLE | 1
// GOAWAY       | 48..99 ok, 1..52 IOException | 51..101
// concurrent   | 500 ok | 501

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.Scanner;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

class Push {
    static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();
    static final Pattern ESCAPE = Pattern.compile("\\\\(?:u(\\p{XDigit}{4})|(.))");
    static final URI SEND = URI.create(
        "https://fcm.googleapis.com/v1/projects/" + System.getenv("PUSHPIT_FCM_PROJECT") + "/messages:send");
    static final HttpClient client = HttpClient.newHttpClient();
    static final Semaphore streams = new Semaphore(100);
    static volatile String bearer;

    /** The first member of this name, which must be a string. Quotes inside strings are escaped, so the name is found
     *  only where it is a member's name. */
    static String member(String name, String json) {
        Matcher found = Pattern.compile("\"" + name + "\"\\s*:\\s*\"([^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*+)\"").matcher(json);
        if (!found.find()) throw new IllegalArgumentException("no " + name + " in " + json);
        return ESCAPE.matcher(found.group(1)).replaceAll(escape -> Matcher.quoteReplacement(character(escape)));
    }

    static String character(MatchResult escape) {
        if (escape.group(1) != null) return String.valueOf((char) Integer.parseInt(escape.group(1), 16));
        int number = "nrtbf".indexOf(escape.group(2));
        return number < 0 ? escape.group(2) : "\n\r\t\b\f".substring(number, number + 1);
    }

    static String encode(String text) {
        return BASE64.encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    static String getBearer() throws Exception {
        String account = Files.readString(Path.of(System.getenv("GOOGLE_APPLICATION_CREDENTIALS")));
        byte[] key = Base64.getDecoder().decode(member("private_key", account).replaceAll("-----.*-----|\\s", ""));
        String url = member("token_uri", account);
        long now = System.currentTimeMillis() / 1000;
        String claims = String.format(
            "{\"iss\":\"%s\",\"scope\":\"%s\",\"aud\":\"%s\",\"iat\":%d,\"exp\":%d}",
            member("client_email", account), "https://www.googleapis.com/auth/firebase.messaging", url, now, now + 3600);
        String text = encode("{\"alg\":\"RS256\",\"typ\":\"JWT\"}") + "." + encode(claims);
        Signature signature = Signature.getInstance("SHA256withRSA");
        signature.initSign(KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(key)));
        signature.update(text.getBytes(StandardCharsets.UTF_8));
        String form = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=" + text + "."
            + BASE64.encodeToString(signature.sign());
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
            .header("content-type", "application/x-www-form-urlencoded")
            .POST(HttpRequest.BodyPublishers.ofString(form)).build();
        return member("access_token", client.send(request, HttpResponse.BodyHandlers.ofString()).body());
    }

    static CompletableFuture<String> push(String token, String text) {
        String body = "{\"message\":{\"token\":\"" + token + "\",\"notification\":{\"body\":\"" + text + "\"}}}";
        HttpRequest request = HttpRequest.newBuilder(SEND)
            .header("authorization", "Bearer " + bearer)
            .header("content-type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body)).build();
        streams.acquireUninterruptibly();
        return client.sendAsync(request, HttpResponse.BodyHandlers.ofString()).handle(Push::outcome);
    }

    static String outcome(HttpResponse<String> answer, Throwable failure) {
        streams.release();
        if (failure != null) {
            Throwable cause = failure.getCause() == null ? failure : failure.getCause();
            return cause.getClass().getSimpleName();
        }
        if (answer.statusCode() == 200) return "ok";
        if (answer.statusCode() == 401) bearer = null;
        return answer.statusCode() + " " + member("status", answer.body());
    }

    public static void main(String[] arguments) throws Exception {
        System.out.println("= ready " + System.getenv("PUSHPIT_URL") + " " + System.getenv("PUSHPIT_CA"));
        Scanner lines = new Scanner(System.in);
        while (lines.hasNextLine()) {
            String[] words = lines.nextLine().split(" ");
            if (!words[0].equals("send")) continue;
            if (bearer == null) bearer = getBearer();
            String text = "Hello" + "x".repeat(Integer.parseInt(words[1]));
            var pushes = Arrays.stream(words).skip(2).map(token -> push(token, text)).toList();
            for (var push : pushes) System.out.println("= " + push.get());
        }
    }
}
