package com.service.store;

import com.service.store.IServiceTokenServiceListener;

/**
 * Access tokens for apps on the terminal. Bind with action com.service.store.ServiceTokenService.BIND and package
 * com.service.store.
 */
interface IServiceTokenService {
    /** A token for the signed-in user, issued to the app with this id. The calling uid must be that of the app. */
    void grantToken(String appId, IServiceTokenServiceListener callback);
}
