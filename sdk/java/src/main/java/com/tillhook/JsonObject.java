package com.tillhook;

import java.util.Map;

/** A JSON object without a schema. */
public final class JsonObject extends Model {
  public JsonObject(Map<String, ?> fields) {
    super(fields);
  }
}
