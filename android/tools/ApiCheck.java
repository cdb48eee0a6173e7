import java.io.File;
import java.io.FileInputStream;
import java.util.ArrayList;
import org.codehaus.mojo.animal_sniffer.ClassListBuilder;
import org.codehaus.mojo.animal_sniffer.SignatureChecker;
import org.codehaus.mojo.animal_sniffer.logging.Logger;
import org.codehaus.mojo.animal_sniffer.logging.PrintWriterLogger;

/** Checks classes against the public API of one Android level. Arguments: the signature file, then folders of classes. */
public final class ApiCheck {
    public static void main(String[] args) throws Exception {
        Logger log = new PrintWriterLogger(System.out);
        ClassListBuilder own = new ClassListBuilder(log);
        for (int i = 1; i < args.length; i++) own.process(new File(args[i]));
        SignatureChecker checker = new SignatureChecker(new FileInputStream(args[0]), own.getPackages(), log);
        checker.setSourcePath(new ArrayList<File>());
        for (int i = 1; i < args.length; i++) checker.process(new File(args[i]));
        if (checker.isSignatureBroken()) System.exit(1);
        System.out.println("API check: ok");
    }
}
