// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Membership choice. */
public final class MembershipChoice extends Model {
  public MembershipChoice() {}
  public MembershipChoice(Map<String, ?> fields) { super(fields); }
  public String membershipId() { return required("membershipId", Model::asText); }
  public MembershipChoice membershipId(String membershipId) { set("membershipId", membershipId); return this; }
}
