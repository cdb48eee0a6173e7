// Generated from contract/openapi.json by `npm run print`.
package com.tillhook.model;

import com.tillhook.*;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Order event results. */
public final class OrderEventResults extends Model {
  public OrderEventResults(Map<String, ?> fields) { super(fields); }
  public long succeeded() { return required("succeeded", Model::asLong); }
  public long failed() { return required("failed", Model::asLong); }
  public List<Result> results() { return list("results", object(Result::new)); }
  public static final class Result extends Model {
    public Result(Map<String, ?> fields) { super(fields); }
    public String id() { return required("id", Model::asText); }
    public String orderId() { return required("orderId", Model::asText); }
    public long status() { return required("status", Model::asLong); }
    public Optional<Boolean> replayed() { return optional("replayed", Model::asBoolean); }
    public Optional<Error> error() { return optional("error", object(Error::new)); }
    public static final class Error extends Model {
      public Error(Map<String, ?> fields) { super(fields); }
      public String code() { return required("code", Model::asText); }
      public String message() { return required("message", Model::asText); }
      public String developerMessage() { return required("developerMessage", Model::asText); }
      public List<Field> fields() { return list("fields", object(Field::new)); }
      public Optional<Long> retryAfterSeconds() { return optional("retryAfterSeconds", Model::asLong); }
      public static final class Field extends Model {
        public Field(Map<String, ?> fields) { super(fields); }
        public String path() { return required("path", Model::asText); }
        public String problem() { return required("problem", Model::asText); }
      }
    }
  }
}
