// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Organization request. */
public final class OrganizationRequest extends Model {
  public OrganizationRequest() {}
  public OrganizationRequest(Map<String, ?> fields) { super(fields); }
  public String name() { return required("name", Model::asText); }
  public String email() { return required("email", Model::asText); }
  public OrganizationRequest name(String name) { set("name", name); return this; }
  public OrganizationRequest email(String email) { set("email", email); return this; }
}
