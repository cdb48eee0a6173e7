package com.service.store;

import android.app.Activity;
import android.content.Intent;
import android.net.Uri;
import android.os.Bundle;
import android.view.View;
import android.widget.Button;
import android.widget.EditText;
import android.widget.LinearLayout;
import android.widget.TextView;

/** Activation, who is signed in, and apps that wait for the merchant's approval. */
public final class HomeActivity extends Activity {
    private Store store;
    private EditText code;
    private TextView message;
    private Button activate;

    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        store = Store.of(this);
        setContentView(R.layout.home);
        code = findViewById(R.id.code);
        message = findViewById(R.id.message);
        activate = findViewById(R.id.activate);
        fillIn(getIntent());
        activate.setOnClickListener(new View.OnClickListener() {
            @Override
            public void onClick(View view) {
                activate();
            }
        });
        findViewById(R.id.session).setOnClickListener(new View.OnClickListener() {
            @Override
            public void onClick(View view) {
                if (store.session.token() == null) {
                    startActivity(new Intent(HomeActivity.this, SignInActivity.class));
                } else {
                    store.signOut();
                    show();
                }
            }
        });
    }

    @Override
    protected void onNewIntent(Intent intent) {
        fillIn(intent);
    }

    /** A scanned code (service-store:activate?code=…) is filled in; a person confirms it with a tap. */
    private void fillIn(Intent intent) {
        Uri data = intent.getData();
        if (data == null || data.getSchemeSpecificPart() == null) return;
        String query = data.getSchemeSpecificPart();
        int at = query.indexOf("code=");
        if (at >= 0) code.setText(query.substring(at + "code=".length()).split("&")[0]);
    }

    @Override
    protected void onResume() {
        super.onResume();
        show();
    }

    @Override
    public void onUserInteraction() {
        store.session.touch();
    }

    private void show() {
        Identity identity = store.identity();
        findViewById(R.id.activation).setVisibility(identity == null ? View.VISIBLE : View.GONE);
        findViewById(R.id.activated).setVisibility(identity == null ? View.GONE : View.VISIBLE);
        if (identity == null) return;
        ((TextView) findViewById(R.id.name)).setText(identity.name);
        String user = store.session.name();
        ((TextView) findViewById(R.id.user)).setText(user == null ? getString(R.string.nobody) : user);
        ((Button) findViewById(R.id.session)).setText(user == null ? R.string.sign_in : R.string.sign_out);
        LinearLayout waiting = findViewById(R.id.waiting);
        waiting.removeAllViews();
        for (final String packageName : store.apps.billingPackages()) {
            if (store.apps.pending(packageName).isEmpty()) continue;
            Button open = new Button(this);
            open.setText(getString(R.string.waits, packageName));
            open.setOnClickListener(new View.OnClickListener() {
                @Override
                public void onClick(View view) {
                    startActivity(ApprovalActivity.intent(HomeActivity.this, packageName));
                }
            });
            waiting.addView(open);
        }
    }

    private void activate() {
        final String entered = code.getText().toString().trim();
        if (entered.isEmpty()) {
            message.setText(R.string.enter_code);
            return;
        }
        activate.setEnabled(false);
        message.setText("");
        store.run(new Store.Task<Void>() {
            @Override
            Void work() throws Failure {
                store.activate(entered);
                return null;
            }

            @Override
            void done(Void nothing) {
                activate.setEnabled(true);
                show();
            }

            @Override
            void failed(Failure failure) {
                activate.setEnabled(true);
                message.setText(failure.message);
            }
        });
    }
}
