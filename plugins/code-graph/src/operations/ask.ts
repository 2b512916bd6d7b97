import { repoLocator } from '@gateway/plugin-repos/api'
import { atomically, type CallContext, type Resolved } from '@gateway/sdk'
import { shards } from '../collections.ts'
import type { Shard } from '../rules/protocol.ts'
import type { Question } from '../rules/questions.ts'
import { SHARDS } from '../rules/shards.ts'
import { graphs } from '../services/graphs.ts'
import type { Asked, Keep } from './helper-process.ts'

export const askUses = { locator: repoLocator, graphs, shards, atomically }
export type AskRefs = Resolved<typeof askUses>

/**
 * Queries the graph of a repo's folder. New facts are stored before the answer is given; if that fails, the answer is still
 * correct.
 */
export function ask<Q extends Question>(refs: AskRefs, folder: string, question: Q, ctx: CallContext): Promise<Asked<Q>> {
  return refs.graphs.ask(folder, question, keepOf(refs, folder, ctx), {
    signal: ctx.signal,
    progress: (read, files) => ctx.progress(read, files, 'files of the code graph'),
  })
}

function keepOf({ shards, atomically }: AskRefs, repo: string, { log }: CallContext): Keep {
  return {
    async load() {
      const { items } = await shards.find({ where: { repo }, sort: { number: 1 }, limit: SHARDS })
      return items.map(({ number, data }): Shard => [number, data])
    },
    async save(changed) {
      try {
        await atomically(async (tx) => {
          const updatedAt = tx.now.toISOString()
          for (const [number, data] of changed) {
            const set = { data, updatedAt }
            await shards.in(tx).upsert({ shardId: `${number}:${repo}`, repo, number, ...set }, { set })
          }
        })
      } catch (error) {
        log.warn('the code graph was not stored; it is made again after a restart', { repo, error: (error as Error).message })
      }
    },
  }
}
