import type { Git } from '@gateway/plugin-git/api'
import { BadRequest, SwitchedOff } from '@gateway/sdk'

/** What a change is said to be: files, or two git refs. */
export interface Change {
  readonly files?: readonly string[] | undefined
  readonly base?: string | undefined
  readonly head?: string | undefined
}
const MAX_FILES = 5_000

/** Returns the named files. An empty list beside a base or a head names nothing: clients that fill in every argument send it. */
export function namedFiles({ files, base, head }: Change): readonly string[] | undefined {
  return files?.length === 0 && (base ?? head) !== undefined ? undefined : files
}

/** The changed files: those that are named, else what git says lies between base and head. `field` begins the names of the arguments. */
export async function changedFiles(change: Change, folder: string, git: Git | undefined, field = ''): Promise<readonly string[]> {
  const { base, head } = change
  const files = namedFiles(change)
  if (files !== undefined) return files.map((file) => relative(file, folder))
  if (base === undefined || head === undefined) {
    const missing = base === undefined ? 'base' : 'head'
    throw BadRequest({
      field: `${field}${missing}`,
      message: `\`${field}files\`, or both \`${field}base\` and \`${field}head\`, are needed; \`${missing}\` is missing.`,
    })
  }
  if (!git)
    throw SwitchedOff({
      message: 'What lies between two refs, git says: the plugin git is switched off here. Give files.',
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

/** Paths are relative; one below the repo’s folder may be given whole, or with `./`. */
function relative(file: string, folder: string): string {
  const path = file.startsWith(`${folder}/`) ? file.slice(folder.length + 1) : file
  return path.replace(/^(?:\.\/)+/, '')
}
