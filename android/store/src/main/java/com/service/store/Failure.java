package com.service.store;

import org.json.JSONObject;

/** A failed call, in words for an app and for a person. */
final class Failure extends Exception {
    static final String UNREACHABLE = "UNREACHABLE";
    static final String INVALID_RESPONSE = "INVALID_RESPONSE";
    static final String PACKAGE_MISMATCH = "PACKAGE_MISMATCH";
    static final String PERMISSION_MISSING = "PERMISSION_MISSING";
    static final String PERMISSIONS_NOT_APPROVED = "PERMISSIONS_NOT_APPROVED";
    static final String APPLICATION_NOT_INSTALLED = "APPLICATION_NOT_INSTALLED";
    static final String INVALID_PARAMETER = "INVALID_PARAMETER";
    static final String TERMINAL_NOT_ACTIVATED = "TERMINAL_NOT_ACTIVATED";
    static final String INVALID_ASSERTION = "INVALID_ASSERTION";
    static final String INVALID_USER_SESSION = "INVALID_USER_SESSION";
    static final String INTERNAL_ERROR = "INTERNAL_ERROR";
    static final String TOO_MANY_REQUESTS = "TOO_MANY_REQUESTS";

    final String code;
    final String message;
    final String developerMessage;
    /** The id under which the server logged the request; null where no server was asked. */
    final String requestId;
    /** The server could not be asked or could not answer. The same call may succeed later. */
    final boolean isOutage;

    Failure(String code, String message, String developerMessage) {
        this(code, message, developerMessage, null, false);
    }

    private Failure(String code, String message, String developerMessage, String requestId, boolean isOutage) {
        super(code + ": " + developerMessage);
        this.code = code;
        this.message = message;
        this.developerMessage = developerMessage;
        this.requestId = requestId;
        this.isOutage = isOutage;
    }

    static Failure unreachable(String requestId) {
        return new Failure(UNREACHABLE, "There is no connection. Check the network and try again.",
                "The service could not be reached. Call again later.", requestId, true);
    }

    static Failure invalidResponse(String requestId) {
        return new Failure(INVALID_RESPONSE, "The service gave an answer that cannot be used. Try again.",
                "The answer was not the JSON of the interface. A captive portal or proxy may have answered.", requestId, true);
    }

    static Failure invalidParameter(String developerMessage) {
        return new Failure(INVALID_PARAMETER, "The app asked for something invalid.", developerMessage);
    }

    static Failure internal() {
        return new Failure(INTERNAL_ERROR, "Something went wrong on the terminal.", "Call again; report the request id if it fails again.");
    }

    /** Decisions 1: every status from 400 up has the error body. */
    static Failure of(Backend.Answer answer) {
        JSONObject body = answer.body;
        if (body == null || !body.has("code")) return invalidResponse(answer.requestId);
        boolean isOutage = answer.status >= 500 || answer.status == 429;
        return new Failure(body.optString("code"), body.optString("message"), body.optString("developerMessage"),
                body.optString("requestId", answer.requestId), isOutage);
    }

    /** `requestId` of the call stands in where no server logged the request. */
    ServiceError toServiceError(String callRequestId) {
        return new ServiceError(code, message, developerMessage, requestId == null ? callRequestId : requestId);
    }
}
