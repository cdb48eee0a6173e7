// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** People. */
public final class People extends Model {
  public People(Map<String, ?> fields) { super(fields); }
  public List<Person> list() { return list("list", object(Person::new)); }
}
