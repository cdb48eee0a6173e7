// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Organization. */
public final class Organization extends Model {
  public Organization(Map<String, ?> fields) { super(fields); }
  public String organizationId() { return required("organizationId", Model::asText); }
  public String name() { return required("name", Model::asText); }
  public String email() { return required("email", Model::asText); }
  public Instant createdAt() { return required("createdAt", Model::asInstant); }
  public Instant updatedAt() { return required("updatedAt", Model::asInstant); }
}
