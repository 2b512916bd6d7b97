import type { Git } from '@gateway/plugin-git/api'
import { BadRequest } from '@gateway/sdk'
import { mapConcurrently } from '@gateway/sdk/bounds'
import type { Pr } from '../rules/questions.ts'
import { type Change, changedFiles, namedFiles } from './changed-files.ts'

const CONCURRENT_GIT_QUERIES = 4

/**
 * Returns each pull request with its files. All are checked before git is queried: a list with a fault is rejected as a whole.
 */
export async function changesOf(prs: readonly (Change & { readonly id: string })[], folder: string, git: Git | undefined): Promise<Pr[]> {
  const ids = new Set<string>()
  for (const [at, { id, ...change }] of prs.entries()) {
    const { base, head } = change
    if (ids.has(id))
      throw BadRequest({
        field: `prs[${at}].id`,
        message: `\`prs[${at}].id\` must be unique in the list; ${JSON.stringify(id)} occurs earlier.`,
      })
    ids.add(id)
    if (namedFiles(change) === undefined && (base === undefined || head === undefined))
      throw BadRequest({
        field: `prs[${at}]`,
        message: `\`prs[${at}]\` needs \`files\`, or both \`base\` and \`head\`; got ${given({ base, head })}.`,
      })
  }
  return mapConcurrently(prs, CONCURRENT_GIT_QUERIES, async (pr, at) => ({
    id: pr.id,
    files: await changedFiles(pr, folder, git, `prs[${at}].`),
  }))
}

function given({ base, head }: Change): string {
  if (base !== undefined) return '`base` alone'
  return head !== undefined ? '`head` alone' : 'none of them'
}
