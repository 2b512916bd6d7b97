/** The range of a value in a JSON text, with the white space around it. */
export interface Place {
  readonly from: number
  readonly to: number
}
export type Places = ReadonlyMap<string, Place>

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Places of the outermost members of a JSON object that was read before. Undefined if a name occurs twice: readers of such a text disagree
 * about its value.
 */
export function placesOf(text: string): Places | undefined {
  const places = new Map<string, Place>()
  let depth = 0
  let from = 0
  let name: string | undefined
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      const end = closingQuote(text, at + 1)
      if (depth === 1) name ??= JSON.parse(text.slice(at, end + 1)) as string
      at = end
      continue
    }
    if (code === OPEN_ARRAY || code === OPEN_OBJECT) depth++
    else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) depth--
    else if (code === COLON && depth === 1) from = at + 1
    const isEnd = (code === COMMA && depth === 1) || (code === CLOSE_OBJECT && depth === 0)
    if (!isEnd || name === undefined) continue
    if (places.has(name)) return undefined
    places.set(name, { from, to: at })
    name = undefined
  }
  return places
}

function closingQuote(text: string, from: number): number {
  for (let at = from; ; at++) {
    at = text.indexOf('"', at)
    let escapes = at
    while (escapes > from && text.charCodeAt(escapes - 1) === BACKSLASH) escapes--
    if ((at - escapes) % 2 === 0) return at
  }
}

/** The text with other values of these members, in the order given; a missing one is added at the end of the object, which has members. */
export function withMembers(text: string, places: Places, members: Readonly<Record<string, unknown>>): string {
  const end = text.lastIndexOf('}')
  const changes = Object.entries(members).map(([name, value]) => {
    const place = places.get(name)
    const json = JSON.stringify(value)
    return place ? { ...place, json } : { from: end, to: end, json: `,${JSON.stringify(name)}:${json}` }
  })
  return changes.sort((a, b) => b.from - a.from).reduce((all, { from, to, json }) => all.slice(0, from) + json + all.slice(to), text)
}
