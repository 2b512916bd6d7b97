import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** 256 random bits: a plain hash of them is worthless to a reader of the store. */
export const newSecret = (): string => randomBytes(32).toString('base64url')
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url')

/** Compares in constant time. */
export function matches(secret: string, hash: string): boolean {
  const [one, other] = [Buffer.from(hashOf(secret)), Buffer.from(hash)]
  return one.length === other.length && timingSafeEqual(one, other)
}

const TICKET = 'task'
/** The ticket of a key, which names its task. An id may have characters that a header cannot carry. */
export const ticketOf = (taskId: string, secret: string): string => [TICKET, Buffer.from(taskId).toString('base64url'), secret].join('~')

/** Reads a ticket; `undefined` for one that is not of a task. */
export function readTicket(ticket: string): { readonly taskId: string; readonly secret: string } | undefined {
  const [kind, name, secret, ...more] = ticket.length > 1_000 ? [] : ticket.split('~')
  if (kind !== TICKET || !name || !secret || more.length > 0) return undefined
  return { taskId: Buffer.from(name, 'base64url').toString(), secret }
}
