package com.tillhook;

import java.util.LinkedHashMap;
import java.util.Map;

/** The optional parameters of an operation. */
public abstract class Query {
  final Map<String, Object> params = new LinkedHashMap<>();

  protected void set(String name, Object value) {
    if (value == null) params.remove(name);
    else params.put(name, Model.toJsonValue(value));
  }
}
