import type { OrganizationBooking } from '../../core/ledger.ts'
import type { Sql } from '../../platform/db/db.ts'

/** Returns false if the organization has a booking of this kind and reference. */
export async function insertBooking(sql: Sql, booking: OrganizationBooking): Promise<boolean> {
  const { count } = await sql`
    insert into organization_bookings (booking_id, organization_id, kind, currency, amount, reference, created_at)
    values (${booking.bookingId}, ${booking.organizationId}, ${booking.kind}, ${booking.currency}, ${booking.amount},
      ${booking.reference}, ${booking.createdAt})
    on conflict (organization_id, kind, reference) do nothing`
  return count === 1
}

/** Newest first. */
export async function listBookings(
  sql: Sql,
  of: { organizationId: string; offset: number; limit: number },
): Promise<{ bookings: OrganizationBooking[]; total: number }> {
  const [counted] = await sql<{ total: number }[]>`
    select count(*) as total from organization_bookings where organization_id = ${of.organizationId}`
  const bookings = await sql<OrganizationBooking[]>`
    select booking_id as "bookingId", organization_id as "organizationId", kind, currency, amount, reference,
      created_at as "createdAt"
    from organization_bookings where organization_id = ${of.organizationId}
    order by created_at desc, booking_id desc offset ${of.offset} limit ${of.limit}`
  return { bookings: [...bookings], total: counted?.total ?? 0 }
}
