package com.service.store;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.json.JSONObject;
import org.junit.rules.ExternalResource;

/** The real service as a process of its own, with a database of its own, as `npm start` runs it. */
final class Tillhook extends ExternalResource {
    private static final String OPERATOR_KEY = "operator-key-of-the-android-tests";
    private static final Pattern READY = Pattern.compile("Tillhook is ready at (http://\\S+)");
    private static final String BOUNDARY = "between-the-parts";
    static final Path REPOSITORY = Path.of(System.getProperty("repository"));

    private final HttpClient http = HttpClient.newHttpClient();
    private Path folder;
    private Process process;
    private Thread atExit;
    private String url;

    String url() {
        return url;
    }

    @Override
    protected void before() throws Throwable {
        folder = Files.createTempDirectory("tillhook-android");
        File log = folder.resolve("log").toFile();
        ProcessBuilder start = node("server/src/main.ts").redirectErrorStream(true).redirectOutput(log);
        start.environment().put("TILLHOOK_PORT", "0");
        start.environment().put("TILLHOOK_DATA_DIR", folder.resolve("data").toString());
        start.environment().put("TILLHOOK_OPERATOR_KEY", OPERATOR_KEY);
        process = start.start();
        atExit = new Thread(this::stop);
        Runtime.getRuntime().addShutdownHook(atExit);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
        while (url == null) {
            Matcher ready = READY.matcher(Files.readString(log.toPath()));
            if (ready.find()) url = ready.group(1);
            assertTrue(Files.readString(log.toPath()), process.isAlive() && System.nanoTime() < end);
            Thread.sleep(100);
        }
    }

    /** A program of the repository, without the settings of the shell that runs the tests. */
    static ProcessBuilder node(String... command) {
        Path node = REPOSITORY.resolve("node_modules/.bin/node");
        assertTrue("the end-to-end test needs `npm ci` in " + REPOSITORY, Files.exists(node));
        ProcessBuilder program = new ProcessBuilder(command).directory(REPOSITORY.toFile());
        program.command().add(0, node.toString());
        program.environment().keySet().removeIf(name -> name.startsWith("TILLHOOK_") && !name.equals("TILLHOOK_TEST_CHROMIUM"));
        return program;
    }

    /** As a signal of the operator stops it: requests are finished, the database is shut down. */
    void stop() {
        process.destroy();
        try {
            if (!process.waitFor(60, TimeUnit.SECONDS)) process.destroyForcibly();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    protected void after() {
        stop();
        Runtime.getRuntime().removeShutdownHook(atExit);
        deleteTree(folder.toFile());
    }

    private static void deleteTree(File file) {
        File[] children = file.listFiles();
        if (children != null) for (File child : children) deleteTree(child);
        file.delete();
    }

    /** A call of the operator that must succeed. */
    JSONObject call(String method, String path, JSONObject body) throws Exception {
        return send(method, path, "application/json", body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body.toString()));
    }

    /** A release with its APK. */
    JSONObject release(String appId, JSONObject release, Path apk) throws Exception {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        write(body, "--" + BOUNDARY + "\r\ncontent-disposition: form-data; name=\"release\"\r\ncontent-type: application/json\r\n\r\n" + release);
        write(body, "\r\n--" + BOUNDARY + "\r\ncontent-disposition: form-data; name=\"package\"; filename=\"app.apk\"\r\n"
                + "content-type: application/vnd.android.package-archive\r\n\r\n");
        body.write(Files.readAllBytes(apk));
        write(body, "\r\n--" + BOUNDARY + "--\r\n");
        return send("POST", "/apps/" + appId + "/releases", "multipart/form-data; boundary=" + BOUNDARY,
                BodyPublishers.ofByteArray(body.toByteArray()));
    }

    private static void write(ByteArrayOutputStream body, String text) throws Exception {
        body.write(text.getBytes(StandardCharsets.UTF_8));
    }

    private JSONObject send(String method, String path, String contentType, BodyPublisher body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + path)).header("authorization", "Bearer " + OPERATOR_KEY)
                .header("content-type", contentType).method(method, body).build();
        HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
        assertEquals(method + " " + path + ": " + response.body(), 2, response.statusCode() / 100);
        return new JSONObject(response.body());
    }
}
