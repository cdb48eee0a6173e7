import {
  BUSINESS,
  BUSINESS_USER,
  DEVICE,
  INVITATION,
  MADE,
  MEMBERSHIP,
  SESSION,
  STORE,
  times,
  USER,
} from './example-values.ts'

const ann = { userId: USER, name: 'Ann Baker', email: 'ann@corner.example' }
const place = { kind: 'MERCHANT', businessId: BUSINESS }
const membership = { membershipId: MEMBERSHIP, ...place, placeName: 'Corner Shop', role: 'MANAGER' }
const person = { membershipId: MEMBERSHIP, ...ann, status: 'ACTIVE', role: 'MANAGER', createdAt: MADE }
const invitation = {
  ...{ invitationId: INVITATION, ...place, email: ann.email, role: 'MANAGER', status: 'PENDING' },
  ...{ createdAt: MADE, expiresAt: '2026-01-22T09:30:00Z' },
}
const session = {
  ...{ sessionId: SESSION, isCurrent: true, membership, isProven: false },
  ...{ address: '198.51.100.7', agent: 'Mozilla/5.0' },
  ...{ createdAt: MADE, usedAt: MADE, expiresAt: '2026-01-15T21:30:00Z' },
}
const current = { ...session, user: ann, memberships: [membership] }
const kim = {
  ...{ businessUserId: BUSINESS_USER, businessId: BUSINESS, userId: 'kim', name: 'Kim Baker' },
  ...{ role: 'CLERK', status: 'ACTIVE', ...times },
}

/** Who signs in, on the web and at a terminal, and what they are answered. By the name of the schema. */
export const PEOPLE_EXAMPLES = {
  User: { ...ann, status: 'ACTIVE', ...times },
  Membership: membership,
  Person: person,
  People: { list: [person] },
  Invitation: invitation,
  InvitationList: { list: [invitation] },
  Session: session,
  SessionList: { list: [session] },
  CurrentSession: current,
  OpenedSession: { token: 'ses_the-token-of-the-session', ...current },
  Account: { ...ann, hasSecondFactor: true, recoveryCodesLeft: 10 },
  SecondFactor: {
    secret: 'JBSWY3DPEHPK3PXP',
    otpauthUri: 'otpauth://totp/Tillhook:ann%40corner.example?issuer=Tillhook&secret=JBSWY3DPEHPK3PXP',
    qrCode: '<svg xmlns="http://www.w3.org/2000/svg">…</svg>',
  },
  RecoveryCodes: { recoveryCodes: ['the-first-code', 'the-second-code'] },
  BusinessUser: kim,
  BusinessUserList: { list: [kim], start: 0, total: 1, count: 1 },
  ActivatedDevice: {
    ...{ deviceId: DEVICE, businessId: BUSINESS, storeId: STORE, name: 'Till 1' },
    kid: 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs',
  },
  ActivationCode: {
    deviceId: DEVICE,
    activationCode: '7K2M-0Q4Z-9XHT-3B6C',
    activationExpiresAt: '2026-01-15T09:45:00Z',
  },
  TerminalSession: { sessionToken: 'tus_the-token-of-the-session', user: kim, expiresAt: '2026-01-15T09:45:00Z' },
  UserToken: {
    ...{ accessToken: 'eyJhbGciOiJSUzI1NiIsImtpZCI6IjEifQ.e30.c2ln', expiresIn: 3_600 },
    ...{ scope: 'ALL', tokenType: 'BEARER' },
  },
}
