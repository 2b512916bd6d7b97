import { basename, resolve } from 'node:path'
import { defined } from '@gateway/sdk'
import type { RepoFolder } from '../api.ts'
import type { ManagedRepo } from './managed-entries.ts'

/**
 * Returns the root and the managed repos, the root first. The root's name is that in the list, if the list has it; otherwise that
 * of its folder, unless another repo of the list has that name: a name belongs to one folder.
 */
export function foldersOf(root: string, managed: readonly ManagedRepo[]): RepoFolder[] {
  const repos = managed.map(({ name, path, group, gitRemote }) => ({
    name,
    folder: resolve(path),
    isMaster: resolve(path) === resolve(root),
    ...defined({ group, gitRemote }),
  }))
  const master = repos.find(({ isMaster }) => isMaster) ?? { name: rootName(root, repos), folder: resolve(root), isMaster: true }
  const others = repos.filter(({ isMaster }) => !isMaster).sort((a, b) => (a.name < b.name ? -1 : 1))
  return [master, ...others]
}

function rootName(root: string, repos: readonly { readonly name: string }[]): string {
  const name = basename(resolve(root))
  return name !== '' && !repos.some((repo) => repo.name === name) ? name : MASTER
}
/** A managed folder is unlikely to have this name; if it does, its own name wins a search. */
const MASTER = 'master'
