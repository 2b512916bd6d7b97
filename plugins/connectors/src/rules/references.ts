import type { Connector } from '../schema.ts'

/** `${NAME}`, or `${NAME:-what else}`. */
const REFERENCE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(:-[^}]*)?\}/g

type Written = Pick<Connector, 'url' | 'command' | 'args' | 'env'>

/** The variables that a connector’s values refer to and have no other value for, each once, by name. */
export function referred({ url = '', command = '', args = [], env = {} }: Written): string[] {
  const values = [url, command, ...args, ...Object.values(env)]
  const names = values.flatMap((value) =>
    [...value.matchAll(REFERENCE)].filter(([, , other]) => other === undefined).map(([, name]) => name ?? ''),
  )
  return [...new Set(names)].sort()
}

/** Every reference of a text rewritten; `NAME` and, where it has one, the other value. */
export function rewrite(text: string, write: (name: string, other: string | undefined) => string): string {
  return text.replace(REFERENCE, (_, name: string, other?: string) => write(name, other?.slice(2)))
}
