package com.tillhook;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The repository that ci.sh names. */
final class Repository {
  static final Path ROOT = Path.of(System.getenv().getOrDefault("SDK_TEST_REPOSITORY", "../../.."));

  private Repository() {}

  static Map<String, Object> json(String path) {
    try {
      return Model.asMap(Json.read(Files.readString(ROOT.resolve(path))));
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }
}
