// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Account. */
public final class Account extends Model {
  public Account(Map<String, ?> fields) { super(fields); }
  public String userId() { return required("userId", Model::asText); }
  public String email() { return required("email", Model::asText); }
  public String name() { return required("name", Model::asText); }
  public boolean hasSecondFactor() { return required("hasSecondFactor", Model::asBoolean); }
  public long recoveryCodesLeft() { return required("recoveryCodesLeft", Model::asLong); }
}
