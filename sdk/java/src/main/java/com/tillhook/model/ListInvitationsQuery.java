// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Optional parameters of the operation "List invitations, newest first". */
public final class ListInvitationsQuery extends Query {
  public ListInvitationsQuery organizationId(String organizationId) { set("organizationId", organizationId); return this; }
  public ListInvitationsQuery businessId(String businessId) { set("businessId", businessId); return this; }
}
