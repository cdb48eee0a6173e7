package com.tillhook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
  @Test void readsEveryKindOfValue() {
    assertEquals(
        Map.of("a", List.of(1L, new BigDecimal("-2.5e3"), true, false, "x"), "b", Map.of()),
        Json.read(" { \"a\" : [ 1 , -2.5e3, true,false,\"x\" ] ,\n\"b\":{}}\t"));
    assertEquals(Arrays.asList((Object) null), Json.read("[null]"));
    assertEquals("\"\\/\b\f\n\r\t\u00e4\ud83e\uddc0", Json.read("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00E4\\ud83e\\uddc0\""));
    assertEquals(999999999999999999L, Json.read("999999999999999999"));
    assertEquals(new BigDecimal("99999999999999999999"), Json.read("99999999999999999999"));
    assertEquals(0L, Json.read("-0"));
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "", " ", "{", "[", "[1,]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "[1 2]", "01", "-", "1.", ".5", "1e", "+1", "tru", "nul", "\"", "\"\\x\"",
    "\"\\u12\"", "\"\\u12g4\"", "\"\n\"", "'a'", "[1]]", "NaN", "1 1", "\ufeff1",
  })
  void whatIsNotJsonIsRejected(String text) {
    assertThrows(IllegalArgumentException.class, () -> Json.read(text));
  }

  @Test void deepNestingIsRejectedBeforeTheStackEnds() {
    assertThrows(IllegalArgumentException.class, () -> Json.read("[".repeat(100_000)));
  }

  @Test void whatIsWrittenIsReadAsTheSame() {
    Random random = new Random(7);
    for (int i = 0; i < 500; i++) {
      Object value = value(random, 0);
      assertEquals(value, Json.read(Json.write(value)));
    }
  }

  private static Object value(Random random, int depth) {
    switch (random.nextInt(depth > 3 ? 4 : 6)) {
      case 0:
        return (long) random.nextInt();
      case 1:
        return random.nextBoolean();
      case 2:
        return BigDecimal.valueOf(random.nextInt(), 3);
      case 3:
        return random.ints(random.nextInt(8), 0, 0x250).collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append).toString();
      case 4:
        return List.of(value(random, depth + 1), value(random, depth + 1));
      default:
        return Map.of("a\"\\" + random.nextInt(), value(random, depth + 1));
    }
  }
}
