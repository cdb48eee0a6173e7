import type { Sql } from '../db/db.ts'

export const NOTE_SUBJECTS = ['ORGANIZATION', 'APP', 'BUSINESS'] as const
export const MAX_NOTE_LENGTH = 2_000

export interface NoteSubject {
  readonly subject: (typeof NOTE_SUBJECTS)[number]
  readonly subjectId: string
}

export interface Note {
  readonly noteId: string
  readonly text: string
  /** The name of the person at the time. */
  readonly author: string
  readonly createdAt: Date
}

/** Adds a note. A repeated `noteId` adds nothing. */
export async function insertNote(sql: Sql, note: Note & NoteSubject): Promise<void> {
  await sql`
    insert into notes (note_id, subject, subject_id, text, author, created_at)
    values (${note.noteId}, ${note.subject}, ${note.subjectId}, ${note.text}, ${note.author}, ${note.createdAt})
    on conflict (note_id) do nothing`
}

/** The newest notes first. */
export async function listNotes(sql: Sql, { subject, subjectId }: NoteSubject, limit: number): Promise<Note[]> {
  return await sql<Note[]>`
    select note_id as "noteId", text, author, created_at as "createdAt" from notes
    where subject = ${subject} and subject_id = ${subjectId} order by note_id desc limit ${limit}`
}
