import { basename, resolve } from 'node:path'
import { defined } from '@gateway/sdk'
import type { RepoFolder } from '../api.ts'
import type { ManagedRepo } from './managed-entries.ts'

/**
 * The root and the managed repos, the root first. When the list names the root, it has the name it has there; else that of its
 * folder, unless another repo of the list is called so: a name stands for one folder.
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
/** No folder that is managed is likely to be called so; and when one is, its own name wins a search. */
const MASTER = 'master'
