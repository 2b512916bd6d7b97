import { cutText, type ObjectSchema, type Operation, repairText } from '@gateway/sdk'

/** Names of arguments that identify a record or a party. */
const IDENTIFIES = /^(id|.+Id|repo|key|slug|agent|skill|machine|provider)$/
const MAX_LENGTH = 200
/** Distinct ids of the items of an array, and characters of them together. */
const MAX_ITEMS = 100
const MAX_JOINED = 2_000

type Declared = Pick<Operation, 'subject' | 'input'>
const names = new WeakMap<ObjectSchema, readonly string[]>()

/** Names of the arguments that an operation declares as its subject, or that identify something by convention. */
function subjectNames({ subject, input }: Declared): readonly string[] {
  if (subject !== undefined) return subject
  let own = names.get(input)
  if (own === undefined) {
    const properties = Object.keys((input as { readonly properties?: object }).properties ?? {})
    names.set(input, (own = properties.filter((name) => IDENTIFIES.test(name))))
  }
  return own
}

/**
 * The subject of a call: the ids among its arguments. They come from the caller and may have failed validation, so only texts and numbers
 * count. The ids of the items of an array are joined by spaces.
 */
export function subjectOf(operation: Declared | undefined, args: unknown): Readonly<Record<string, string>> | undefined {
  if (operation === undefined || typeof args !== 'object' || args === null) return undefined
  const subject: Record<string, string> = {}
  let isEmpty = true
  for (const name of subjectNames(operation)) {
    const [argument = '', member] = name.split('[].')
    const value = (args as Readonly<Record<string, unknown>>)[argument]
    const text = member === undefined ? idText(value) : idsOf(value, member)
    if (text === undefined) continue
    subject[member ?? argument] = text
    isEmpty = false
  }
  return isEmpty ? undefined : subject
}

function idText(value: unknown): string | undefined {
  if ((typeof value !== 'string' || value === '') && typeof value !== 'number') return undefined
  return repairText(cutText(String(value), MAX_LENGTH))
}

function idsOf(items: unknown, member: string): string | undefined {
  if (!Array.isArray(items)) return undefined
  const ids = items.slice(0, MAX_ITEMS).flatMap((item: unknown) => {
    const id = typeof item === 'object' && item !== null ? idText((item as Readonly<Record<string, unknown>>)[member]) : undefined
    return id === undefined ? [] : [id]
  })
  return ids.length === 0 ? undefined : cutText([...new Set(ids)].join(' '), MAX_JOINED)
}
