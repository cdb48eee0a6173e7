/** A migration that has run is not the file that we have. The message says which, and what to do. Exit 1, no stack. */
export class MigrationChanged extends Error {
  override name = 'MigrationChanged'

  constructor(file: string) {
    super(
      `The migration server/migrations/${file} is not what it was when it ran on this database. A migration that has run is ` +
        'never edited: restore the file, as the release of this program has it, and put the change into a new migration.',
    )
  }
}
