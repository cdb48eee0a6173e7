/** Thrown where a file cannot be an APK that a terminal installs. The message goes on after "the package is no APK: ". */
export class NotAnApk extends Error {
  override name = 'NotAnApk'
}
