import embeddings from '@gateway/plugin-embeddings'
import { embeddings as embeddingsService } from '@gateway/plugin-embeddings/api'
import memory from '@gateway/plugin-memory'
import { closed, definePlugin, defineTool, Type } from '@gateway/sdk'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { DatabaseSync } from '@photostructure/sqlite'
import type { Item } from './questions.ts'

/** Ids of the items, the nearest first. */
export type Ranking = (question: string) => Promise<readonly string[]>
export interface Ranker {
  readonly rank: Ranking
  close(): Promise<void>
}

export const LIMIT = 10

/** FTS5 alone: any of the words, stemmed, BM25. */
export async function plainWords(items: readonly Item[]): Promise<Ranker> {
  const db = new DatabaseSync(':memory:')
  db.exec(`create virtual table t using fts5(content, tokenize='porter unicode61')`)
  const insert = db.prepare('insert into t(rowid, content) values (?, ?)')
  for (const [i, { chunk }] of items.entries()) insert.run(i + 1, chunk.content)
  const select = db.prepare(`select rowid from t where t match ? order by rank limit ${LIMIT}`)
  return {
    async rank(question) {
      const words = (question.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => `"${word}"`)
      return select.all(words.join(' OR ')).map(({ rowid }) => (items[Number(rowid) - 1] as Item).id)
    },
    async close() {
      db.close()
    },
  }
}

/** Ranks with memory_search itself, with a model or without. */
export async function memorySearch(items: readonly Item[], models?: string): Promise<Ranker> {
  const gateway = await startTestGateway({
    plugins: models === undefined ? [memory] : [embeddings, memory],
    env: models === undefined ? {} : { GATEWAY_MODEL_DIR: models },
  })
  const ids = new Map<string, string>()
  for (const { id, chunk } of items) ids.set((await gateway.call('memory_store', chunk)).chunkId, id)
  if (models !== undefined) await embedAll(gateway, items.length)
  return {
    async rank(query) {
      const { results, mode } = await gateway.call('memory_search', { query, limit: LIMIT })
      if (models !== undefined && mode !== 'hybrid') throw new Error(`searched by words alone: ${mode}`)
      return results.map(({ chunkId }: { chunkId: string }) => ids.get(chunkId) as string)
    },
    close: () => gateway.stop(),
  }
}

async function embedAll(gateway: TestGateway, count: number): Promise<void> {
  while ((await gateway.call('memory_stats')).embedded < count) {
    await gateway.runJob('memory.embed')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const asker = definePlugin({
  id: 'asker',
  sdk: '^1.0.0',
  description: 'Calls the embeddings.',
  tools: [
    defineTool({
      name: 'embed',
      description: 'Embeds texts, for the benchmark.',
      capability: 'read',
      effect: 'read',
      input: Type.Object({ texts: Type.Array(Type.String()) }, closed),
      output: Type.Unknown(),
      uses: { embeddings: embeddingsService },
      handle: async ({ texts }, { embeddings }) => (await embeddings.embed(texts)).map((vector) => [...vector]),
    }),
  ],
})

/** Ranks by the vectors of the contents alone, by cosine. */
export async function vectorsAlone(items: readonly Item[], models: string): Promise<Ranker> {
  const gateway = await startTestGateway({ plugins: [embeddings, asker], env: { GATEWAY_MODEL_DIR: models } })
  const embed = async (text: string): Promise<number[]> => (await gateway.call('embed', { texts: [text] }))[0]
  const vectors: number[][] = []
  for (const { chunk } of items) vectors.push(await embed(chunk.content))
  return {
    async rank(question) {
      const query = await embed(question)
      const scores = vectors.map((vector, i) => ({
        id: (items[i] as Item).id,
        score: vector.reduce((sum, x, j) => sum + x * (query[j] as number), 0),
      }))
      return scores
        .sort((a, b) => b.score - a.score)
        .slice(0, LIMIT)
        .map(({ id }) => id)
    },
    close: () => gateway.stop(),
  }
}
