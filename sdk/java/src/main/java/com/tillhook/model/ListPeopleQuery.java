// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Optional parameters of the operation "List the people of a business, an organization or the operator". */
public final class ListPeopleQuery extends Query {
  public ListPeopleQuery organizationId(String organizationId) { set("organizationId", organizationId); return this; }
  public ListPeopleQuery businessId(String businessId) { set("businessId", businessId); return this; }
}
