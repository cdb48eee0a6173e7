package com.tillhook;

/** A constant of the contract. */
public interface Value {
  String name();

  /** The constant on the wire. */
  default String value() {
    return name();
  }

  static <T extends Value> T of(T[] known, T unrecognized, Object wire) {
    for (T one : known) if (one.value().equals(wire)) return one;
    return unrecognized;
  }
}
