import type { Connector } from '../schema.ts'

/** `${NAME}`, or `${NAME:-what else}`. */
const REFERENCE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(:-[^}]*)?\}/g

type Written = Pick<Connector, 'url' | 'command' | 'args' | 'env'>

/** Returns the variables that a connector's values refer to without a default, each once, by name. */
export function referred({ url = '', command = '', args = [], env = {} }: Written): string[] {
  const names = new Set<string>()
  const note = (name: string, other: string | undefined): string => {
    if (other === undefined) names.add(name)
    return ''
  }
  for (const value of [url, command, ...args, ...Object.values(env)]) rewrite(value, note)
  return [...names].sort()
}

/** Rewrites every reference of a text; `write` gets `NAME` and, if present, the default value. */
export function rewrite(text: string, write: (name: string, other: string | undefined) => string): string {
  // Ends at the last brace: after it, the end of each opened reference would be searched in the whole remaining text.
  const end = text.lastIndexOf('}') + 1
  return text.slice(0, end).replace(REFERENCE, (_, name: string, other?: string) => write(name, other?.slice(2))) + text.slice(end)
}
