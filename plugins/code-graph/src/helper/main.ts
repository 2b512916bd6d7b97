/**
 * Entry point of the helper process. It holds the graphs, so that reading a thousand files delays no other work, and a parser
 * crash does not take down the gateway.
 */
import { setPriority } from 'node:os'
import type { Ask, Told } from '../rules/protocol.ts'
import { Repo } from './repo.ts'

/** Maximum number of graphs kept in memory. The least recently used one is dropped and reloaded from the store. */
const MAX_REPOS = 8
/** Lower priority than the processes that answer calls. */
const NICE = 5

const repos = new Map<string, Repo>()
const tell = (message: Told): void => {
  process.send?.(message)
}

async function serve({ id, root, question, shards, poison }: Ask): Promise<void> {
  try {
    const repo = repos.get(root) ?? (shards && new Repo(root, shards, (reading) => tell({ reading })))
    if (!repo) return tell({ id, needsShards: true })
    repos.delete(root)
    repos.set(root, repo)
    for (const [oldest, unused] of [...repos].slice(0, -MAX_REPOS)) {
      repos.delete(oldest)
      unused.close()
    }
    tell({ id, ...(await repo.ask(question, new Set(poison), (progress) => tell({ id, progress }))) })
  } catch (error) {
    tell({ id, error: (error as Error).message })
  }
}

try {
  setPriority(NICE)
} catch {
  // Not permitted: it works all the same.
}
process.on('message', (ask: Ask) => void serve(ask))
process.on('disconnect', () => process.exit())
