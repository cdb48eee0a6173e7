import { wordOfRole } from '../../access/invitations/words.ts'
import type { PersonOfPlace } from '../../access/memberships/store.ts'
import { keeperOf, type PersonRole, type Place, rolesOf } from '../../core/membership.ts'
import type { Choice } from '../../platform/web/components/choice.ts'

/** What a role may do, as those read it who choose one. */
const MAY: Readonly<Record<Place['kind'], Partial<Record<PersonRole, string>>>> = {
  MERCHANT: {
    OWNER: 'May do everything, and let people in.',
    MANAGER: 'May do everything but let people in.',
    VIEWER: 'May look at everything, and change nothing.',
  },
  DEVELOPER: {
    ADMIN: 'May do everything, and let people in.',
    MEMBER: 'May do everything but let people in, make keys and give money back.',
    VIEWER: 'May look at everything, and change nothing.',
  },
  OPERATOR: {
    ADMIN: 'May do everything, and let people in.',
    VIEWER: 'May look at everything, and change nothing.',
  },
}

export function roleChoices({ kind }: Place): Choice[] {
  return rolesOf(kind).map(role => ({ value: role, text: capital(wordOfRole(role)), detail: MAY[kind][role] }))
}

/** The one that can do least harm: more is given on purpose. */
export function humblestRole({ kind }: Place): PersonRole {
  return rolesOf(kind).at(-1) ?? 'VIEWER'
}

/** A role that somebody sent, of those that the place has. */
export function roleOf({ kind }: Place, text: string): PersonRole | null {
  return rolesOf(kind).find(role => role === text) ?? null
}

export function roleWord(role: PersonRole): string {
  return capital(wordOfRole(role))
}

/** Who alone may let people in. */
export function lastKeeperOf({ kind }: Place, people: readonly PersonOfPlace[]): PersonOfPlace | null {
  const keepers = people.filter(({ role, status }) => role === keeperOf(kind) && status === 'ACTIVE')
  return keepers.length === 1 ? (keepers[0] ?? null) : null
}

export function keeperWords({ kind }: Place): string {
  return `Somebody has to stay who can let people in. Make somebody else ${articled(wordOfRole(keeperOf(kind)))} first.`
}

/** "an owner", "a manager". */
export function articled(word: string): string {
  return `${/^[aeiou]/.test(word) ? 'an' : 'a'} ${word}`
}

function capital(word: string): string {
  return `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`
}
