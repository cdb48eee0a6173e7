// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Second factor request. */
public final class SecondFactorRequest extends Model {
  public SecondFactorRequest() {}
  public SecondFactorRequest(Map<String, ?> fields) { super(fields); }
  public String password() { return required("password", Model::asText); }
  public SecondFactorRequest password(String password) { set("password", password); return this; }
}
