/** Brings a message to somebody. Rejects where it could not be handed over; whoever asked tries again. */
export interface Mail {
  send(message: Message): Promise<void>
  close(): void
}

export interface Message {
  readonly to: string
  readonly subject: string
  /** Plain text, lines ended by \n. */
  readonly text: string
}
