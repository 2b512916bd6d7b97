import { cutText } from '../rules/markdown.ts'
import { hashesOf, hashOf, sentenceKey, tombstoneKey, withoutForgotten } from '../rules/tombstones.ts'
import type { Range } from '../rules/without-ranges.ts'
import type { MemoryUses } from './uses.ts'

export interface Tombstones {
  readonly forgotten: Pick<MemoryUses['forgotten'], 'count' | 'getMany'>
}
interface Block {
  readonly text: string
  readonly repo?: string | undefined
}

const HASHES_PER_LOOKUP = 500

/**
 * Leaves out what was forgotten: texts everywhere or in the repo of the block, and sentences of the origin. The texts must be free
 * of secrets, like those that were forgotten. A block of which nothing is left has the text ''.
 */
export async function withoutTombstones<B extends Block>(
  blocks: readonly B[],
  { forgotten }: Tombstones,
  origin?: string,
): Promise<readonly B[]> {
  if ((await forgotten.count({}, { max: 1 })) === 0) return blocks
  const keysOf = (hash: string, { repo }: B): readonly string[] => (repo === undefined ? [hash] : [hash, tombstoneKey(hash, repo)])
  const sentenceKeyOf = (hash: string): readonly string[] => (origin === undefined ? [] : [sentenceKey(hash, origin)])
  const hashed = blocks.map((block) => {
    const { texts, sentences } = hashesOf(block.text)
    return { block, texts, sentences, pieces: piecesOf(block.text) }
  })
  const keys = hashed.flatMap(({ block, texts, sentences, pieces }) => [
    ...[...texts, ...pieces.map(({ hash }) => hash)].flatMap((hash) => keysOf(hash, block)),
    ...sentences.flatMap(sentenceKeyOf),
  ])
  const gone = new Set<string>()
  const unique = [...new Set(keys)]
  for (let from = 0; from < unique.length; from += HASHES_PER_LOOKUP)
    for (const { hash } of await forgotten.getMany(unique.slice(from, from + HASHES_PER_LOOKUP))) gone.add(hash)
  if (gone.size === 0) return blocks
  return hashed.map(({ block, texts, sentences, pieces }) => {
    const isGone = (hash: string): boolean => keysOf(hash, block).some((key) => gone.has(key))
    const own = {
      texts: new Set(texts.filter(isGone)),
      sentences: new Set(sentences.filter((hash) => sentenceKeyOf(hash).some((key) => gone.has(key)))),
    }
    const whole = pieces.filter(({ hash }) => isGone(hash))
    if (own.texts.size + own.sentences.size + whole.length === 0) return block
    return { ...block, text: withoutForgotten(block.text, own, whole) }
  })
}

/** The pieces into which a text is cut, and their hashes. */
function piecesOf(text: string): readonly (Range & { readonly hash: string })[] {
  let from = 0
  return cutText(text).map((piece) => {
    const start = text.indexOf(piece, from)
    from = start + 1
    return { start, end: start + piece.length, hash: hashOf(piece) }
  })
}
