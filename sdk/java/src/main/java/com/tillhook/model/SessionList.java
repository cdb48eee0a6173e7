// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Session list. */
public final class SessionList extends Model {
  public SessionList(Map<String, ?> fields) { super(fields); }
  public List<Session> list() { return list("list", object(Session::new)); }
}
