import { git } from '@gateway/plugin-git/api'
import { closed, defineTool, optional, SwitchedOff, Type } from '@gateway/sdk'
import { repoLocator } from '../api.ts'
import { ManagedReposInvalid } from '../errors.ts'
import { frameworkTimes } from '../operations/framework-times.ts'
import { repoArgument } from '../schema.ts'
import { operatorFiles } from '../services/operator-files.ts'

/** Maximum number of changed files counted; a count of this size means at least that many. */
const MAX_COUNTED = 10_000
const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()])

export const reposStatus = defineTool({
  name: 'repos_status',
  description:
    'Show where a repo stands: branch, uncommitted files, ahead and behind of its upstream, when handoff and state were last written. Missing figures are null. Returns its status.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/repos/:repo/status',
  input: Type.Object({ repo: repoArgument }, closed),
  output: Type.Object(
    {
      name: Type.String(),
      path: Type.String(),
      isGitRepo: Type.Boolean(),
      branch: orNull(Type.String({ description: 'null when no branch is checked out.' })),
      head: orNull(Type.String({ description: 'Commit; null before the first.' })),
      uncommitted: Type.Integer({ description: 'Files that differ from the commit, new ones included.' }),
      uncommittedIsMore: Type.Boolean({ description: 'More files differ than were counted.' }),
      ahead: orNull(Type.Integer({ description: 'null without an upstream.' })),
      behind: orNull(Type.Integer()),
      lastHandoff: orNull(Type.String({ description: 'Time when HANDOFF.md was written; ISO 8601.' })),
      lastState: orNull(Type.String({ description: 'Time when STATE.md was written; ISO 8601.' })),
    },
    closed,
  ),
  errors: [ManagedReposInvalid],
  uses: { locator: repoLocator, files: operatorFiles, git: optional(git) },
  async handle({ repo }, { locator, files, git }) {
    const { name, folder } = await locator.locate(repo)
    const [{ isGitRepo }, times] = await Promise.all([files.checks.of(folder), frameworkTimes(folder)])
    if (isGitRepo && !git)
      throw SwitchedOff({ message: 'The status of a repo needs the plugin git, which is disabled here.', setting: 'plugins.git' })
    const status = isGitRepo && git ? await git.workTree(folder).status(MAX_COUNTED) : undefined
    return {
      name,
      path: folder,
      isGitRepo,
      branch: status?.branch ?? null,
      head: status?.head ?? null,
      uncommitted: status?.files.length ?? 0,
      uncommittedIsMore: status?.truncated ?? false,
      ahead: status?.ahead ?? null,
      behind: status?.behind ?? null,
      lastHandoff: times.lastHandoff ?? null,
      lastState: times.lastState ?? null,
    }
  },
})
