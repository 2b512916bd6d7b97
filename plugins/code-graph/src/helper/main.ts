/**
 * The program of the helper process: it holds the graphs, so that reading a thousand files delays nobody, and a parser that breaks takes
 * nobody with it.
 */
import { setPriority } from 'node:os'
import type { Ask, Told } from '../rules/protocol.ts'
import { Repo } from './repo.ts'

/** The graphs that are kept at hand; the one used longest ago is let go, and comes back from the store. */
const MAX_REPOS = 8
/** Whoever answers a call goes before. */
const NICE = 5

const repos = new Map<string, Repo>()
const tell = (told: Told): void => {
  process.send?.(told)
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
    tell({ id, ...(await repo.ask(question, new Set(poison))) })
  } catch (error) {
    tell({ id, error: (error as Error).message })
  }
}

try {
  setPriority(NICE)
} catch {
  // Not allowed to: it works all the same.
}
process.on('message', (ask: Ask) => void serve(ask))
process.on('disconnect', () => process.exit())
