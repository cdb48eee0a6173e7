package com.service.store;

import android.os.Binder;
import android.os.IBinder;
import android.os.IInterface;
import android.os.Parcel;
import android.os.RemoteException;
import org.robolectric.shadows.ShadowBinder;

/**
 * A binder as another process sees it: without a local interface, so that the generated proxy and stub marshal every call. The callee
 * sees the uid that is given here.
 */
final class RemoteBinder extends Binder {
    private final IBinder target;
    private final int uid;
    volatile boolean isDead;

    RemoteBinder(IBinder target, int uid) {
        this.target = target;
        this.uid = uid;
    }

    @Override
    public IInterface queryLocalInterface(String descriptor) {
        return null;
    }

    @Override
    protected boolean onTransact(int code, Parcel data, Parcel reply, int flags) throws RemoteException {
        if (isDead) throw new android.os.DeadObjectException();
        synchronized (RemoteBinder.class) {
            int before = Binder.getCallingUid();
            ShadowBinder.setCallingUid(uid);
            ShadowBinder.setCallingPid(uid);
            try {
                return target.transact(code, data, reply, flags);
            } finally {
                ShadowBinder.setCallingUid(before);
            }
        }
    }
}
