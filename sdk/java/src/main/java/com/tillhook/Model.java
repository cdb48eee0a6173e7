package com.tillhook;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Function;

/** A JSON object of the contract. Fields that are newer than this SDK stay in {@link #toMap()}. */
public abstract class Model {
  private final Map<String, Object> fields = new LinkedHashMap<>();

  protected Model() {}

  protected Model(Map<String, ?> fields) {
    fields.forEach((name, value) -> set(name, value));
  }

  /** The fields as JSON values: text, numbers, booleans, lists and maps. */
  public Map<String, Object> toMap() {
    return Collections.unmodifiableMap(fields);
  }

  public String toJson() {
    return Json.write(fields);
  }

  @Override public String toString() {
    return toJson();
  }

  @Override public boolean equals(Object other) {
    return other != null && other.getClass() == getClass() && ((Model) other).fields.equals(fields);
  }

  @Override public int hashCode() {
    return fields.hashCode();
  }

  protected boolean has(String name) {
    return fields.containsKey(name);
  }

  /** Sets a field. A value of null removes the field: the wire has no null. */
  protected void set(String name, Object value) {
    if (value == null) fields.remove(name);
    else fields.put(name, toJsonValue(value));
  }

  protected <T> T required(String name, Function<Object, T> read) {
    if (!has(name)) throw new NoSuchElementException(getClass().getSimpleName() + " has no field " + name);
    return read.apply(fields.get(name));
  }

  protected <T> Optional<T> optional(String name, Function<Object, T> read) {
    return Optional.ofNullable(fields.get(name)).map(read);
  }

  /** An absent list is empty. */
  protected <T> List<T> list(String name, Function<Object, T> read) {
    List<T> items = new ArrayList<>();
    for (Object item : (List<?>) fields.getOrDefault(name, List.of())) items.add(read.apply(item));
    return Collections.unmodifiableList(items);
  }

  protected static <T> Function<Object, T> object(Function<Map<String, ?>, T> read) {
    return value -> read.apply(asMap(value));
  }

  protected static String asText(Object value) {
    return (String) value;
  }

  protected static long asLong(Object value) {
    return ((Number) value).longValue();
  }

  protected static double asDouble(Object value) {
    return ((Number) value).doubleValue();
  }

  protected static boolean asBoolean(Object value) {
    return (Boolean) value;
  }

  protected static Instant asInstant(Object value) {
    return Instant.parse((String) value);
  }

  @SuppressWarnings("unchecked")
  protected static Map<String, Object> asMap(Object value) {
    return (Map<String, Object>) value;
  }

  protected static Object asIs(Object value) {
    return value;
  }

  static Object toJsonValue(Object value) {
    if (value instanceof Model) return ((Model) value).fields;
    if (value instanceof Value) return ((Value) value).value();
    if (value instanceof Instant) return value.toString();
    if (!(value instanceof List)) return value;
    List<Object> items = new ArrayList<>();
    for (Object item : (List<?>) value) items.add(toJsonValue(item));
    return items;
  }
}
