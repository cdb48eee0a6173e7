// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Invitation list. */
public final class InvitationList extends Model {
  public InvitationList(Map<String, ?> fields) { super(fields); }
  public List<Invitation> list() { return list("list", object(Invitation::new)); }
}
