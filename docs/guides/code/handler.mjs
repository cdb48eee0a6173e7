/**
 * Handles each event once, although deliveries repeat. `sql` is a transaction of your database with a table
 * `handled_events (id uuid primary key)`: the event's effect and its id commit together.
 */
export async function handleOnce(sql, event, handle) {
  const [isNew] = await sql`insert into handled_events (id) values (${event.id}) on conflict do nothing returning id`
  if (isNew === undefined) return
  await handle(event)
}
