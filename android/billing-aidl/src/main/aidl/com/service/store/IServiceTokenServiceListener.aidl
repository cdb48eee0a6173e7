package com.service.store;

import com.service.store.ServiceError;
import com.service.store.TokenResponse;

oneway interface IServiceTokenServiceListener {
    /** Either token or error is null. */
    void onResponse(in TokenResponse token, in ServiceError error);
}
