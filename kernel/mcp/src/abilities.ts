import type { ClientAbility } from '@gateway/sdk'
import { isObject } from './jsonrpc.ts'

export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks'

const DECLARED: Readonly<Record<ClientAbility, readonly string[]>> = {
  elicitation: ['elicitation', 'form'],
  'elicitation.url': ['elicitation', 'url'],
  sampling: ['sampling'],
  'sampling.tools': ['sampling', 'tools'],
  roots: ['roots'],
  tasks: ['extensions', TASKS_EXTENSION],
}

export function hasAbility(capabilities: unknown, ability: ClientAbility): boolean {
  // An empty `elicitation` means forms, by the protocol.
  if (ability === 'elicitation') {
    const declared = isObject(capabilities) ? capabilities.elicitation : undefined
    return isObject(declared) && (Object.keys(declared).length === 0 || isObject(declared.form))
  }
  let at = capabilities
  for (const name of DECLARED[ability]) at = isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined
  return isObject(at)
}

/** The least capabilities that a client must declare to have the ability. */
export function capabilitiesFor(ability: ClientAbility): object {
  return DECLARED[ability].reduceRight<object>((inner, name) => ({ [name]: inner }), {})
}
