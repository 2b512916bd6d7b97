const NAME = /^\s*(?:"([^"\\]*)"|'([^']*)'|([\w-]+))\s*(\.|$)/

/** Names of a dotted key, such as `model_providers."my own"`; `undefined` for anything else. */
function namesOf(key: string): readonly string[] | undefined {
  const names: string[] = []
  let rest = key
  while (true) {
    const found = NAME.exec(rest)
    if (!found) return undefined
    names.push(found[1] ?? found[2] ?? found[3] ?? '')
    if (found[4] !== '.') return names
    rest = rest.slice(found[0].length)
  }
}

const STRING = /^\s*(?:"([^"\\]*)"|'([^']*)')\s*(?:#.*)?$/

/** Name under which a text is kept: the names of its key, which may contain dots. */
export const keyOf = (...names: readonly string[]): string => JSON.stringify(names)

/**
 * Reads the texts of a TOML file that stand on one line each, by the names of their key. Other values and inline tables are left out:
 * the callers look for a few addresses and names.
 */
export function tomlStrings(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  let table: readonly string[] | undefined = []
  for (const line of text.split('\n')) {
    const header = /^\s*\[([^[\]]+)\]\s*(?:#.*)?$/.exec(line)
    if (header) {
      table = namesOf(header[1] ?? '')
      continue
    }
    if (/^\s*\[/.test(line)) {
      table = undefined
      continue
    }
    const at = line.indexOf('=')
    if (at < 0 || table === undefined) continue
    const [names, value] = [namesOf(line.slice(0, at)), STRING.exec(line.slice(at + 1))]
    if (names && value) found.set(keyOf(...table, ...names), value[1] ?? value[2] ?? '')
  }
  return found
}
