import type { Repository } from '@gateway/plugin-git/api'
import { type ToolError, Unavailable } from '@gateway/sdk'
import { MAIN } from '../rules/names.ts'
import type { Refs } from './refs.ts'

const MESSAGE =
  'The brain cannot be used at this node: its index was made from a repository that the node does not have. Set GATEWAY_BRAINS_DIR of every node to one folder that all of them share. If the repository was lost or replaced by an older one, `gateway brain-reindex --accept-other` accepts what is there.'

export const BrainElsewhere = (): ToolError => Unavailable({ message: MESSAGE, setting: 'GATEWAY_BRAINS_DIR' })

/**
 * True if the repository here is not the one that the index of main was made from: another node has that one, or it was lost. A
 * write here would take its atoms out of the index.
 */
export async function isElsewhere({ branches }: Pick<Refs, 'branches'>, repo: Repository): Promise<boolean> {
  const indexed = await branches.get(MAIN)
  return indexed !== undefined && !((await repo.exists()) && (await repo.commit(indexed.tip)) !== undefined)
}

export async function requireHere(refs: Pick<Refs, 'branches'>, repo: Repository): Promise<void> {
  if (await isElsewhere(refs, repo)) throw BrainElsewhere()
}

/** Stands for a repository that is elsewhere: each use throws UNAVAILABLE. */
export function unreachable(repo: Repository): Repository {
  const refuse = (): never => {
    throw BrainElsewhere()
  }
  return new Proxy(repo, { get: (target, name) => (name === 'folder' ? target.folder : refuse) })
}
