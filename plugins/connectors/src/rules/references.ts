import type { Connector } from '../schema.ts'

/** `${NAME}`, or `${NAME:-what else}`. */
const REFERENCE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(:-[^}]*)?\}/g

type Written = Pick<Connector, 'url' | 'command' | 'args' | 'env'>

/** The variables that a connector’s values refer to and have no other value for, each once, by name. */
export function referred({ url = '', command = '', args = [], env = {} }: Written): string[] {
  const names = new Set<string>()
  const note = (name: string, other: string | undefined): string => {
    if (other === undefined) names.add(name)
    return ''
  }
  for (const value of [url, command, ...args, ...Object.values(env)]) rewrite(value, note)
  return [...names].sort()
}

/** Every reference of a text rewritten; `NAME` and, where it has one, the other value. */
export function rewrite(text: string, write: (name: string, other: string | undefined) => string): string {
  // No further than the last brace: behind it, the end of each reference that was begun would be looked for in all that follows.
  const end = text.lastIndexOf('}') + 1
  return text.slice(0, end).replace(REFERENCE, (_, name: string, other?: string) => write(name, other?.slice(2))) + text.slice(end)
}
