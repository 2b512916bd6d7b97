import type { Git } from '@gateway/plugin-git/api'
import { BadRequest, SwitchedOff } from '@gateway/sdk'

export interface Change {
  readonly files?: readonly string[] | undefined
  readonly base?: string | undefined
  readonly head?: string | undefined
}
const MAX_FILES = 5_000

/**
 * Returns the named files. An empty list together with a base or a head names nothing: clients that fill in every argument send
 * it.
 */
export function namedFiles({ files, base, head }: Change): readonly string[] | undefined {
  return files?.length === 0 && (base ?? head) !== undefined ? undefined : files
}

/**
 * Returns the changed files: the named ones, otherwise those that git reports between base and head. `field` prefixes the
 * argument names.
 */
export async function changedFiles(change: Change, folder: string, git: Git | undefined, field = ''): Promise<readonly string[]> {
  const { base, head } = change
  const files = namedFiles(change)
  if (files !== undefined) return files.map((file) => relative(file, folder))
  if (base === undefined || head === undefined) {
    const missing = base === undefined ? 'base' : 'head'
    throw BadRequest({
      field: `${field}${missing}`,
      message: `\`${field}files\`, or both \`${field}base\` and \`${field}head\`, are required; \`${missing}\` is missing.`,
    })
  }
  if (!git)
    throw SwitchedOff({
      message: 'Comparing refs needs the git plugin, which is disabled here. Pass files.',
      setting: 'plugins.git',
    })
  const changes = await git.workTree(folder).branchChanges(base, head, MAX_FILES)
  if ('files' in changes) return changes.files
  const given = changes.missing === 'base' ? base : head
  throw BadRequest({
    field: `${field}${changes.missing}`,
    message: `\`${field}${changes.missing}\` must be a branch, tag or commit of the repo; got ${JSON.stringify(given)}.`,
  })
}

/** Returns a relative path. A path below the repo's folder may be given as absolute, or with `./`. */
function relative(file: string, folder: string): string {
  const path = file.startsWith(`${folder}/`) ? file.slice(folder.length + 1) : file
  return path.replace(/^(?:\.\/)+/, '')
}
