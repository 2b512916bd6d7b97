const TICKET = 'task'
/** The ticket of a key, which names its task. An id may have characters that a header cannot carry. */
export const ticketOf = (taskId: string, secret: string): string => [TICKET, Buffer.from(taskId).toString('base64url'), secret].join('~')

/** Reads a ticket; `undefined` for one that is not of a task. */
export function readTicket(ticket: string): { readonly taskId: string; readonly secret: string } | undefined {
  const [kind, name, secret, ...more] = ticket.length > 1_000 ? [] : ticket.split('~')
  if (kind !== TICKET || !name || !secret || more.length > 0) return undefined
  return { taskId: Buffer.from(name, 'base64url').toString(), secret }
}
