import { cutText, type ObjectSchema, type Operation, repairText } from '@gateway/sdk'

/** Names of arguments that identify a record or a party. */
const IDENTIFIES = /^(id|.+Id|repo|key|slug|agent|skill|machine|provider)$/
const MAX_LENGTH = 200

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

/** The subject of a call: the ids among its arguments. They come from the caller and may have failed validation, so only texts and numbers count. */
export function subjectOf(operation: Declared | undefined, args: unknown): Readonly<Record<string, string>> | undefined {
  if (operation === undefined || typeof args !== 'object' || args === null) return undefined
  const subject: Record<string, string> = {}
  let isEmpty = true
  for (const name of subjectNames(operation)) {
    const value = (args as Readonly<Record<string, unknown>>)[name]
    if ((typeof value !== 'string' || value === '') && typeof value !== 'number') continue
    subject[name] = repairText(cutText(String(value), MAX_LENGTH))
    isEmpty = false
  }
  return isEmpty ? undefined : subject
}
