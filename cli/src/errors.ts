/** An error for the reader of the terminal, without a stack trace. */
export class CliError extends Error {
  readonly exitCode: number

  constructor(message: string, exitCode = 1) {
    super(message)
    this.exitCode = exitCode
  }
}

export class UsageError extends CliError {
  constructor(message: string) {
    super(message, 2)
  }
}
