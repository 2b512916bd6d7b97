import { isObject, nameOf, type Params } from '../jsonrpc.ts'
import { invalidParams } from './refusal.ts'

export const LISTS = {
  toolsListChanged: 'tools',
  promptsListChanged: 'prompts',
  resourcesListChanged: 'resources',
} as const
export type ListName = (typeof LISTS)[keyof typeof LISTS]

/** Each costs memory for as long as the stream is open, and so do their characters. */
const MAX_URIS = 1_000
const MAX_TASKS = 100
const MAX_CHARACTERS = 65_536

/** Subscriptions of a client. Unknown members are left out of the acknowledgement. */
export interface ListenFilter {
  readonly lists: readonly ListName[]
  readonly uris: readonly string[] | undefined
  readonly taskIds: readonly string[] | undefined
}

/** Throws -32602 naming the faulty member. */
export function readFilter({ notifications }: Params): ListenFilter {
  if (!isObject(notifications)) throw invalidParams(`notifications must be an object; got ${nameOf(notifications)}`)
  const lists: ListName[] = []
  for (const [member, list] of Object.entries(LISTS)) {
    const wanted = notifications[member] ?? false
    if (typeof wanted !== 'boolean') throw invalidParams(`notifications.${member} must be a boolean; got ${nameOf(wanted)}`)
    if (wanted) lists.push(list)
  }
  return {
    lists,
    uris: texts(notifications, 'resourceSubscriptions', MAX_URIS),
    taskIds: texts(notifications, 'taskIds', MAX_TASKS),
  }
}

function texts(from: Params, member: string, most: number): readonly string[] | undefined {
  const list = from[member]
  if (list === undefined || list === null) return undefined
  if (!Array.isArray(list) || list.length > most || !list.every((one) => typeof one === 'string')) {
    const got = Array.isArray(list) ? `an array of ${list.length}` : nameOf(list)
    throw invalidParams(`notifications.${member} must be an array of at most ${most} strings; got ${got}`)
  }
  const characters = list.reduce((sum: number, one: string) => sum + one.length, 0)
  if (characters > MAX_CHARACTERS) {
    throw invalidParams(`notifications.${member} must have at most ${MAX_CHARACTERS} characters in all; got ${characters}`)
  }
  return list
}
