import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.mustangproject.validator.ZUGFeRDValidator;

/** Validates every e-invoice of a folder: XML by the schema and the schematron of EN 16931, PDF also by veraPDF as PDF/A-3. */
public class Validate {
  public static void main(String[] folders) throws Exception {
    int failed = 0;
    List<Path> files;
    try (var found = Files.list(Path.of(folders[0]))) {
      files = found.sorted().toList();
    }
    for (Path file : files) {
      ZUGFeRDValidator validator = new ZUGFeRDValidator();
      String report = validator.validate(file.toString());
      boolean isValid = validator.wasCompletelyValid();
      System.out.println((isValid ? "valid    " : "INVALID  ") + file.getFileName());
      if (isValid) continue;
      failed++;
      System.out.println(report);
    }
    System.out.println("e-invoices: " + (files.size() - failed) + " passed, " + failed + " failed");
    System.exit(failed == 0 && !files.isEmpty() ? 0 : 1);
  }
}
