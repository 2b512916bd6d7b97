import { standardPlugins } from '@gateway/standard'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import type { Item } from './questions.ts'
import { LIMIT, type Ranker } from './rankings.ts'

interface Hit {
  readonly corpus: string
  readonly id: string
  readonly score: number
}

/**
 * Ranks with brain_search over two corpora: the documents are atoms of the brain, everything else is in the session corpus of the
 * memory. `own bests` divides the scores of each corpus by its own best, so that the best of both is 1.
 */
export async function brainSearch(items: readonly Item[], isAtom: (item: Item) => boolean): Promise<readonly [string, Ranker][]> {
  const gateway = await startTestGateway({ plugins: standardPlugins })
  const ids = new Map<string, string>()
  for (const item of items) ids.set(await put(gateway, item, isAtom(item)), item.id)
  const ask = async (query: string): Promise<readonly Hit[]> => (await gateway.call('brain_search', { query, k: 10 * LIMIT })).hits
  const rank = async (query: string, order: (hits: readonly Hit[]) => readonly Hit[]): Promise<readonly string[]> =>
    order(await ask(query))
      .slice(0, LIMIT)
      .map(({ id }) => ids.get(id) ?? '')
  return [
    ['brain_search, each corpus by its own best', { rank: (query) => rank(query, byOwnBests), close: async () => {} }],
    ['brain_search', { rank: (query) => rank(query, (hits) => hits), close: () => gateway.stop() }],
  ]
}

async function put(gateway: TestGateway, { chunk }: Item, isAtom: boolean): Promise<string> {
  const { content, sessionId = 'notes' } = chunk
  if (!isAtom) return (await gateway.call('memory_store', { content, sessionId })).chunkId
  return (await gateway.call('brain_commit', { kind: 'memory', slug: 'document', content: `# ${content}` })).atom.path
}

function byOwnBests(hits: readonly Hit[]): readonly Hit[] {
  const best = new Map<string, number>()
  for (const { corpus, score } of hits) best.set(corpus, Math.max(best.get(corpus) ?? 0, score))
  return hits.map((hit) => ({ ...hit, score: hit.score / (best.get(hit.corpus) || 1) })).sort((a, b) => b.score - a.score)
}
