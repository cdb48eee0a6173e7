// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Organization changes. */
public final class OrganizationChanges extends Model {
  public OrganizationChanges() {}
  public OrganizationChanges(Map<String, ?> fields) { super(fields); }
  public Optional<String> name() { return optional("name", Model::asText); }
  public Optional<String> email() { return optional("email", Model::asText); }
  public OrganizationChanges name(String name) { set("name", name); return this; }
  public OrganizationChanges email(String email) { set("email", email); return this; }
}
