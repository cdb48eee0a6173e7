package com.tillhook;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads and writes JSON (RFC 8259): Map, List, String, Long, BigDecimal, Boolean and null. */
final class Json {
  /** The API does not answer with deeper nesting, which could exhaust the stack. */
  private static final int MOST_DEPTH = 100;

  private final String text;
  private int at;

  private Json(String text) {
    this.text = text;
  }

  /** Throws IllegalArgumentException if {@code text} is not JSON. */
  static Object read(String text) {
    Json json = new Json(text);
    Object value = json.value(0);
    json.space();
    if (json.at < text.length()) throw json.wrong();
    return value;
  }

  static String write(Object value) {
    StringBuilder out = new StringBuilder();
    write(value, out);
    return out.toString();
  }

  private Object value(int depth) {
    if (depth > MOST_DEPTH) throw wrong();
    space();
    switch (peek()) {
      case '{':
        return object(depth);
      case '[':
        return array(depth);
      case '"':
        return string();
      case 't':
        return word("true", true);
      case 'f':
        return word("false", false);
      case 'n':
        return word("null", null);
      default:
        return number();
    }
  }

  private Map<String, Object> object(int depth) {
    Map<String, Object> fields = new LinkedHashMap<>();
    take('{');
    if (!isNext('}')) {
      do {
        space();
        String name = string();
        space();
        take(':');
        fields.put(name, value(depth + 1));
      } while (isNext(','));
      take('}');
    }
    return fields;
  }

  private List<Object> array(int depth) {
    List<Object> items = new ArrayList<>();
    take('[');
    if (!isNext(']')) {
      do {
        items.add(value(depth + 1));
      } while (isNext(','));
      take(']');
    }
    return items;
  }

  private String string() {
    StringBuilder out = new StringBuilder();
    take('"');
    while (peek() != '"') {
      char letter = text.charAt(at++);
      if (letter < ' ') throw wrong();
      out.append(letter == '\\' ? escape() : letter);
    }
    take('"');
    return out.toString();
  }

  private char escape() {
    char letter = peek();
    at++;
    switch (letter) {
      case 'b':
        return '\b';
      case 'f':
        return '\f';
      case 'n':
        return '\n';
      case 'r':
        return '\r';
      case 't':
        return '\t';
      case 'u':
        return unicode();
      case '"':
      case '\\':
      case '/':
        return letter;
      default:
        throw wrong();
    }
  }

  private char unicode() {
    int code = 0;
    for (int i = 0; i < 4; i++, at++) {
      char letter = peek();
      int digit = letter < 128 ? Character.digit(letter, 16) : -1;
      if (digit < 0) throw wrong();
      code = code * 16 + digit;
    }
    return (char) code;
  }

  private Number number() {
    int from = at;
    if (peek() == '-') at++;
    int whole = digits();
    if (whole == 0 || (whole > 1 && text.charAt(at - whole) == '0')) throw wrong();
    boolean isWhole = true;
    if (at < text.length() && text.charAt(at) == '.') {
      at++;
      isWhole = false;
      if (digits() == 0) throw wrong();
    }
    if (at < text.length() && (text.charAt(at) == 'e' || text.charAt(at) == 'E')) {
      at++;
      isWhole = false;
      if (at < text.length() && (text.charAt(at) == '+' || text.charAt(at) == '-')) at++;
      if (digits() == 0) throw wrong();
    }
    String number = text.substring(from, at);
    // 18 digits always fit into a long.
    if (isWhole && whole <= 18) return Long.valueOf(number);
    return new BigDecimal(number);
  }

  private int digits() {
    int from = at;
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') at++;
    return at - from;
  }

  private Object word(String word, Object value) {
    if (!text.startsWith(word, at)) throw wrong();
    at += word.length();
    return value;
  }

  private boolean isNext(char letter) {
    space();
    if (peek() != letter) return false;
    at++;
    return true;
  }

  private void take(char letter) {
    if (peek() != letter) throw wrong();
    at++;
  }

  private char peek() {
    if (at >= text.length()) throw wrong();
    return text.charAt(at);
  }

  private void space() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
  }

  private IllegalArgumentException wrong() {
    return new IllegalArgumentException("not JSON at character " + at);
  }

  private static void write(Object value, StringBuilder out) {
    if (value instanceof Map) {
      char before = '{';
      for (Map.Entry<?, ?> field : ((Map<?, ?>) value).entrySet()) {
        quote(String.valueOf(field.getKey()), out.append(before));
        write(field.getValue(), out.append(':'));
        before = ',';
      }
      out.append(before == '{' ? "{}" : "}");
    } else if (value instanceof List) {
      char before = '[';
      for (Object item : (List<?>) value) {
        write(item, out.append(before));
        before = ',';
      }
      out.append(before == '[' ? "[]" : "]");
    } else if (value == null || value instanceof Number || value instanceof Boolean) {
      out.append(value);
    } else {
      quote(value.toString(), out);
    }
  }

  private static void quote(String text, StringBuilder out) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char letter = text.charAt(i);
      if (letter == '"' || letter == '\\') out.append('\\').append(letter);
      else if (letter < ' ') out.append(String.format("\\u%04x", (int) letter));
      else out.append(letter);
    }
    out.append('"');
  }
}
