// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Key set. */
public final class KeySet extends Model {
  public KeySet(Map<String, ?> fields) { super(fields); }
  public List<Key> keys() { return list("keys", object(Key::new)); }
  public static final class Key extends Model {
    public Key(Map<String, ?> fields) { super(fields); }
    public String kty() { return required("kty", Model::asText); }
    public String n() { return required("n", Model::asText); }
    public String e() { return required("e", Model::asText); }
    public String kid() { return required("kid", Model::asText); }
    public String use() { return required("use", Model::asText); }
    public String alg() { return required("alg", Model::asText); }
  }
}
