package com.service.store;

import com.service.store.ServiceError;

oneway interface IServiceInAppBillingServiceListener {
    /** Either resultJson or error is null. requestId is the id of the call. */
    void onResponse(String resultJson, in ServiceError error, String requestId);
}
