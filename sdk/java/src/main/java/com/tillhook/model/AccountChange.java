// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Account change. */
public final class AccountChange extends Model {
  public AccountChange() {}
  public AccountChange(Map<String, ?> fields) { super(fields); }
  public String name() { return required("name", Model::asText); }
  public AccountChange name(String name) { set("name", name); return this; }
}
