import { basename, isAbsolute, resolve } from 'node:path'
import { Forbidden, NotFound, provide } from '@gateway/sdk'
import { repoFolders, repoLocator } from '../api.ts'
import { remoteNames, roster } from '../collections.ts'
import { Identification, pathOf } from '../operations/identify.ts'
import { readClue } from '../rules/clue.ts'
import { looksLikeRemote } from '../rules/remote.ts'
import { operatorFiles, seesFiles } from './operator-files.ts'

export const repoLocatorProvider = provide(repoLocator, {
  uses: { roster, remotes: remoteNames, folders: repoFolders, files: operatorFiles },
  create({ roster, remotes, folders, files }, ctx) {
    return {
      async locate(repo) {
        if (!seesFiles(ctx)) throw await refusal(repo)
        const found = repo === undefined ? await folders.master() : ((await folders.find(repo)) ?? (await elsewhere(repo)))
        if (!found) throw NotFound({ what: 'repo', id: repo ?? 'master' })
        if (!(await files.checks.of(found.folder)).exists) throw NotFound({ what: 'folder of the repo', id: found.folder })
        return { name: found.name, folder: found.folder }
      },
    }

    /** Finds a repo that is only in the roster, or in no list. */
    async function elsewhere(repo: string): Promise<{ name: string; folder: string } | undefined> {
      if (looksLikeRemote(repo)) return byRemote(repo)
      const path = (await roster.get(repo))?.path
      if (path !== undefined && isAbsolute(path)) return { name: repo, folder: resolve(path) }
      if (!isAbsolute(repo)) return undefined
      const folder = resolve(repo)
      return (await files.checks.of(folder)).isGitRepo ? { name: basename(folder), folder } : undefined
    }

    async function byRemote(repo: string): Promise<{ name: string; folder: string } | undefined> {
      const { name, registered } = await new Identification({ roster, remotes, folders, git: files.git, stores: false }).of(
        readClue({ repo }),
      )
      const folder = registered && pathOf(registered)
      return folder === undefined ? undefined : { name, folder }
    }

    /** A repo missing in another tenant's roster is reported to it the same as one that does not exist. */
    async function refusal(repo: string | undefined): Promise<Error> {
      if (repo !== undefined && !(await roster.get(repo))) return NotFound({ what: 'repo', id: repo })
      return Forbidden({
        message: 'This needs the repo’s folder, and the folders of this machine are the operator’s: only the tenant local may read them.',
      })
    }
  },
})
