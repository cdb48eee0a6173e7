/** Thrown if a terminal cannot install the file. The message completes the sentence "is not an APK that a terminal can install: …". */
export class NotAnApk extends Error {
  override name = 'NotAnApk'
}
