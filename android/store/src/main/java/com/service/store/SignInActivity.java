package com.service.store;

import android.app.Activity;
import android.os.Bundle;
import android.view.View;
import android.view.WindowManager;
import android.widget.Button;
import android.widget.EditText;
import android.widget.TextView;

/** Interface, Authentication, On-terminal apps 1: user id and passcode. */
public final class SignInActivity extends Activity {
    private Store store;
    private EditText userId;
    private EditText passcode;
    private TextView message;
    private Button signIn;

    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        store = Store.of(this);
        setResult(RESULT_CANCELED);
        getWindow().addFlags(WindowManager.LayoutParams.FLAG_SECURE);
        setContentView(R.layout.sign_in);
        userId = findViewById(R.id.user_id);
        passcode = findViewById(R.id.passcode);
        message = findViewById(R.id.message);
        signIn = findViewById(R.id.sign_in);
        signIn.setOnClickListener(new View.OnClickListener() {
            @Override
            public void onClick(View view) {
                signIn();
            }
        });
    }

    private void signIn() {
        final String user = userId.getText().toString().trim();
        final String code = passcode.getText().toString();
        if (user.isEmpty() || code.isEmpty()) {
            message.setText(R.string.enter_both);
            return;
        }
        signIn.setEnabled(false);
        message.setText("");
        store.run(new Store.Task<Void>() {
            @Override
            Void work() throws Failure {
                store.signIn(user, code);
                return null;
            }

            @Override
            void done(Void nothing) {
                setResult(RESULT_OK);
                finish();
            }

            @Override
            void failed(Failure failure) {
                passcode.setText("");
                signIn.setEnabled(true);
                message.setText(failure.message);
            }
        });
    }
}
