// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Audit list. */
public final class AuditList extends Page<AuditList.Entry> {
  public AuditList(Map<String, ?> fields) { super(fields); }
  @Override public List<AuditList.Entry> items() { return entries(); }
  public List<Entry> entries() { return list("entries", object(Entry::new)); }
  public List<Link> links() { return list("links", object(Link::new)); }
  public static final class Entry extends Model {
    public Entry(Map<String, ?> fields) { super(fields); }
    public long entryId() { return required("entryId", Model::asLong); }
    public Instant at() { return required("at", Model::asInstant); }
    public String principal() { return required("principal", Model::asText); }
    public String principalKind() { return required("principalKind", Model::asText); }
    public String operation() { return required("operation", Model::asText); }
    public String method() { return required("method", Model::asText); }
    public String path() { return required("path", Model::asText); }
    public String requestId() { return required("requestId", Model::asText); }
    public Kind kind() { return required("kind", Kind::of); }
    public String resourceId() { return required("resourceId", Model::asText); }
    public Optional<String> businessId() { return optional("businessId", Model::asText); }
    public Optional<String> organizationId() { return optional("organizationId", Model::asText); }
    public Optional<Map<String, Object>> before() { return optional("before", Model::asMap); }
    public Optional<Map<String, Object>> after() { return optional("after", Model::asMap); }
    public enum Kind implements Value {
      BRAND, ORGANIZATION, ORGANIZATION_BOOKING, PAYOUT_ACCOUNT, PAYOUT_TRANSFER, SELLER, APP, APP_KEY, SIGNING_KEY, RELEASE, RELEASE_MESSAGE, NOTE, PLAN, BUSINESS, STORE, DEVICE, DEVICE_KEY, BUSINESS_USER, APPROVAL, INSTALLED_APP, APP_PERMISSIONS, PAYMENT_METHOD, SUBSCRIPTION, INVOICE, DISPUTE_EVIDENCE, CHARGE, REFUND, HOOK, REDELIVERY, APP_ENDING, CATCH_UP, TAX_SETTINGS, TAX_RATE, ORDER, PURCHASE, TEST_CLOCK, USER, MEMBERSHIP, VIEWING, INVITATION, SECOND_FACTOR,
      /** A value that is newer than this SDK. */
      UNRECOGNIZED;

      static Kind of(Object value) { return Value.of(values(), UNRECOGNIZED, value); }
    }
  }
}
