import type { ContentPart } from './conversation.ts'
import { contentAt, type Json, requireObject, untranslatable } from './json.ts'

/** Reads a part as one wire has it; undefined for one without an equivalent. */
type ReadPart = (part: Json) => ContentPart | undefined

/** Texts and images of a content, which is a text or a list of parts. Empty texts are left out. */
export const saidAt = (given: unknown, where: string, read: ReadPart): readonly ContentPart[] =>
  partsAt(given, where, read).filter(isSomething)

/** The text of a content that may have no images. */
export const textAlone = (given: unknown, where: string, read: ReadPart): string =>
  partsAt(given, where, read)
    .map((part, at) => (part.kind === 'text' ? part.text : untranslatable(`${where}[${at}]`)))
    .join('')

/** Joins neighbouring texts, which a client has split for its own reasons. */
export function textsJoined(said: readonly ContentPart[]): readonly ContentPart[] {
  const all: ContentPart[] = []
  for (const part of said) {
    const last = all.at(-1)
    if (part.kind === 'text' && last?.kind === 'text') all[all.length - 1] = { kind: 'text', text: last.text + part.text }
    else all.push(part)
  }
  return all
}

function partsAt(given: unknown, where: string, read: ReadPart): readonly ContentPart[] {
  const content = contentAt(given, where)
  if (typeof content === 'string') return [{ kind: 'text', text: content }]
  return content.map((one, at) => {
    const part = requireObject(one, `${where}[${at}]`)
    return read(part) ?? untranslatable(`${where}[${at}].${String(part.type)}`)
  })
}

const isSomething = (part: ContentPart): boolean => part.kind !== 'text' || part.text !== ''
