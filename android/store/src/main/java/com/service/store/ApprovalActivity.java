package com.service.store;

import android.app.Activity;
import android.content.Context;
import android.content.Intent;
import android.content.pm.ApplicationInfo;
import android.content.pm.PackageManager;
import android.os.Bundle;
import android.view.View;
import android.widget.Button;
import android.widget.TextView;
import java.util.List;

/** Interface, On-terminal bound service: the merchant grants the declared permissions of an app at install. */
public final class ApprovalActivity extends Activity {
    private static final int SIGN_IN = 1;

    private Store store;
    private String packageName;
    private TextView message;
    private Button allow;

    static Intent intent(Context context, String packageName) {
        return new Intent(context, ApprovalActivity.class).putExtra(PurchaseActivity.PACKAGE_NAME, packageName)
                .addFlags(Intent.FLAG_ACTIVITY_NEW_TASK);
    }

    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        store = Store.of(this);
        packageName = getIntent().getStringExtra(PurchaseActivity.PACKAGE_NAME);
        setContentView(R.layout.approval);
        message = findViewById(R.id.message);
        allow = findViewById(R.id.allow);
        ((TextView) findViewById(R.id.title)).setText(getString(R.string.approval_title, labelOf(packageName)));
        ((TextView) findViewById(R.id.permissions)).setText(describe(store.apps.pending(packageName)));
        allow.setOnClickListener(new View.OnClickListener() {
            @Override
            public void onClick(View view) {
                if (store.session.token() == null) {
                    startActivityForResult(new Intent(ApprovalActivity.this, SignInActivity.class), SIGN_IN);
                } else {
                    approve();
                }
            }
        });
        findViewById(R.id.not_now).setOnClickListener(new View.OnClickListener() {
            @Override
            public void onClick(View view) {
                finish();
            }
        });
    }

    @Override
    protected void onActivityResult(int requestCode, int resultCode, Intent data) {
        if (resultCode == RESULT_OK) approve();
    }

    @Override
    public void onUserInteraction() {
        store.session.touch();
    }

    private void approve() {
        allow.setEnabled(false);
        store.run(new Store.Task<Void>() {
            @Override
            Void work() throws Failure {
                store.apps.approve(packageName);
                return null;
            }

            @Override
            void done(Void nothing) {
                setResult(RESULT_OK);
                finish();
            }

            @Override
            void failed(Failure failure) {
                allow.setEnabled(true);
                message.setText(failure.message);
            }
        });
    }

    private CharSequence labelOf(String packageName) {
        try {
            PackageManager packages = getPackageManager();
            ApplicationInfo info = packages.getApplicationInfo(packageName, 0);
            return packages.getApplicationLabel(info);
        } catch (PackageManager.NameNotFoundException e) {
            return packageName;
        }
    }

    /** One line each, in the words of the app that defines the permission. */
    private String describe(List<String> permissions) {
        StringBuilder text = new StringBuilder();
        for (String each : permissions) {
            CharSequence label = each;
            try {
                label = getPackageManager().getPermissionInfo(each, 0).loadLabel(getPackageManager());
            } catch (PackageManager.NameNotFoundException ignored) {
                // A permission that no installed package defines is shown by its name.
            }
            text.append("• ").append(label).append('\n');
        }
        return text.toString();
    }
}
