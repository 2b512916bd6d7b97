import { defined, provide } from '@gateway/sdk'
import { type RepoFolder, type ResolvedRepo, repoFolders, repoResolver } from '../api.ts'
import { remoteNames, roster } from '../collections.ts'
import { Identification, type Identity, pathOf } from '../operations/identify.ts'
import { type ReadClue, type RepoClue, readClue } from '../rules/clue.ts'
import { type Registration, registrationHint } from '../rules/registration.ts'
import { withoutCredentials } from '../rules/remote.ts'
import { operatorFiles, seesFiles } from './operator-files.ts'

/** The name under which a tenant without folders keeps records that belong to no repo. */
const MASTER = 'master'

export const repoResolverProvider = provide(repoResolver, {
  uses: { roster, remotes: remoteNames, folders: repoFolders, files: operatorFiles },
  create({ roster, remotes, folders, files }, ctx) {
    const sees = seesFiles(ctx)
    const checks = files.checks
    return {
      async resolve(clue = {}, { stores } = { stores: false }) {
        const read = readClue(clue)
        if (read.asked === undefined || (!sees && read.name === MASTER)) return master(await folders.master())
        const identity = await new Identification({ roster, remotes, folders, git: sees ? files.git : undefined, stores }).of(read)
        const folder = sees ? await frameworkFolder(identity) : undefined
        const registration = await registrationOf(identity, clue, read)
        const { name, registered } = identity
        return {
          name,
          isMaster: registered?.isMaster ?? false,
          registered: registered !== undefined,
          ...(!registered && { hint: registrationHint(name) }),
          ...defined({ folder, registration, group: registered?.managed?.group ?? registered?.entry?.group }),
        }
      },
    }

    /** Returns the folder whose `.gateway` holds the repo's files: a managed one, or one that follows the framework already. */
    async function frameworkFolder({ registered, root }: Identity): Promise<string | undefined> {
      const managed = registered?.managed?.folder
      if (managed !== undefined && (await checks.of(managed)).exists) return managed
      for (const path of [registered && pathOf(registered), root]) {
        if (path !== undefined && (await checks.of(path)).hasFramework) return path
      }
      return undefined
    }

    /** Returns the facts missing in the roster, for a clone that a hook describes. */
    async function registrationOf(
      { name, registered, root }: Identity,
      { remote }: RepoClue,
      { key }: ReadClue,
    ): Promise<Registration | undefined> {
      const gitRemote = remote === undefined || key === undefined ? undefined : withoutCredentials(remote)
      if (!registered) return { name, source: 'cli-init', ...defined({ path: root, gitRemote }) }
      const { managed, entry } = registered
      const path = pathOf(registered)
      const isGone = sees && path !== undefined && root !== undefined && !(await checks.of(path)).exists && (await checks.of(root)).exists
      const isNew = {
        path: path === undefined || (isGone && !managed) ? root : undefined,
        gitRemote: (managed?.gitRemote ?? entry?.gitRemote) === undefined ? gitRemote : undefined,
      }
      const more = defined(isNew)
      if (Object.keys(more).length === 0) return undefined
      return { name, source: entry?.source ?? 'cli-init', ...defined({ enabled: entry?.enabled }), ...more }
    }
  },
})

function master(place: RepoFolder | undefined): ResolvedRepo {
  return { name: place?.name ?? MASTER, isMaster: true, registered: true, ...defined({ folder: place?.folder, group: place?.group }) }
}
