import { createHash } from 'node:crypto'
import type { AdmissionRule } from '../config.ts'

export interface Identity {
  readonly provider: string
  readonly issuer: string
  readonly subject: string
  readonly name?: string
  /** Absent unless verified. */
  readonly email?: string
  readonly groups: readonly string[]
  readonly claims: Readonly<Record<string, unknown>>
}

/** A subject is unique at its issuer alone. The id of the provider here does not count: it may be renamed. */
export const memberIdOf = ({ issuer, subject }: Pick<Identity, 'issuer' | 'subject'>): string =>
  `m-${createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest('base64url')
    .slice(0, 22)}`

export const admittedBy = (rules: readonly AdmissionRule[], person: Identity): AdmissionRule | undefined =>
  rules.find((rule) => holds(rule, person))

function holds({ provider, emailDomain, group, claim }: AdmissionRule, person: Identity): boolean {
  if (provider !== undefined && provider !== person.provider) return false
  if (emailDomain !== undefined && domainOf(person.email) !== emailDomain) return false
  if (group !== undefined && !person.groups.includes(group)) return false
  if (claim !== undefined && !valuesOf(person.claims[claim.name]).includes(claim.value)) return false
  return provider !== undefined || emailDomain !== undefined || group !== undefined || claim !== undefined
}

const domainOf = (email: string | undefined): string | undefined => email?.slice(email.lastIndexOf('@') + 1).toLowerCase()

/** Values of a claim as text: a list has several. */
export function valuesOf(claim: unknown): readonly string[] {
  const values = Array.isArray(claim) ? claim.slice(0, 1_000) : [claim]
  return values.flatMap((value) => (['string', 'number', 'boolean'].includes(typeof value) ? [String(value)] : []))
}

export const isSameEmail = (one: string | undefined, other: string): boolean => one?.toLowerCase() === other.toLowerCase()
