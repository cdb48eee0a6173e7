// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Charge list. */
public final class ChargeList extends Page<ListedCharge> {
  public ChargeList(Map<String, ?> fields) { super(fields); }
  @Override public List<ListedCharge> items() { return charges(); }
  public List<ListedCharge> charges() { return list("charges", object(ListedCharge::new)); }
  public List<Link> links() { return list("links", object(Link::new)); }
}
