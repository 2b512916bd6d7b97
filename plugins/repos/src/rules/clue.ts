import { basename, resolve } from 'node:path'
import { BadRequest, textTest } from '@gateway/sdk'
import { NAME } from '../schema.ts'
import { isAbsolutePath, looksLikeRemote, namesIn, remoteKey } from './remote.ts'

/** A reference to a repo: a text that may be its name, folder or remote, and the facts that the hook of a host sends about a clone. */
export interface RepoClue {
  readonly repo?: string | undefined
  readonly remote?: string | undefined
  readonly root?: string | undefined
}
/** A clue whose text has been recognised as a name, a folder or a remote. */
export interface ReadClue {
  readonly name?: string
  readonly root?: string
  /** See `remoteKey`. */
  readonly key?: string
  /** The argument as the caller wrote it, for error messages. */
  readonly asked: string | undefined
}

const nameFits = textTest(NAME)
const MAX_NAME = 200
export const isRepoName = (text: string): boolean => text.length <= MAX_NAME && nameFits(text)

/** A remote that no other clone can have, such as a relative one, counts as none. */
export function readClue({ repo, remote, root }: RepoClue): ReadClue {
  for (const [field, text] of Object.entries({ repo, remote, root }))
    if (text !== undefined && /\p{Cc}/u.test(text))
      throw BadRequest({ field, message: `\`${field}\` must be without control characters; got ${JSON.stringify(text)}.` })
  if (root !== undefined && !isAbsolutePath(root))
    throw BadRequest({ field: 'root', message: `\`root\` must be an absolute folder; got ${JSON.stringify(root)}.` })
  const isRoot = repo !== undefined && isAbsolutePath(repo)
  const isRemote = repo !== undefined && !isRoot && looksLikeRemote(repo)
  const [folder, address] = [root ?? (isRoot ? repo : undefined), remote ?? (isRemote ? repo : undefined)]
  const key = address === undefined ? undefined : remoteKey(address)
  if (isRemote && key === undefined)
    throw BadRequest({
      field: 'repo',
      message: `\`repo\` must be a name, an absolute folder or a git remote; got ${JSON.stringify(repo)}.`,
    })
  return {
    asked: repo ?? root ?? remote,
    ...(repo !== undefined && !isRoot && !isRemote && { name: repo }),
    ...(folder !== undefined && { root: folder.startsWith('/') ? resolve(folder) : folder }),
    ...(key !== undefined && { key }),
  }
}

/**
 * Returns names for an unknown repo, the plainest first: its own, with its owner in front, with a part of `digest` appended,
 * which is unique to it as well. Returns none when the clue has no valid repo name.
 */
export function namesFor({ name, root, key }: ReadClue, digest: string): readonly string[] {
  const { name: remoteName, owner } = key === undefined ? {} : namesIn(key)
  const own = [name, root === undefined ? undefined : basename(root.replaceAll('\\', '/')).replace(/\.git$/, ''), remoteName]
  const plain = own.find((one) => one !== undefined && isRepoName(one))
  if (plain === undefined) return []
  const others = [...(owner === undefined ? [] : [`${owner}-${plain}`]), `${plain.slice(0, MAX_NAME - 9)}-${digest.slice(0, 8)}`]
  return [plain, ...others.filter(isRepoName)]
}
