/** A developer's organization: it owns apps and test merchants, and issues the invoices of its apps. */
export interface Organization {
  readonly organizationId: string
  readonly name: string
  readonly email: string
  readonly createdAt: Date
  readonly updatedAt: Date
}
