import { cloneArguments, ManagedReposInvalid, repoArgument } from '@gateway/plugin-repos/api'
import { closed, defineRoute, plainLineText, Type } from '@gateway/sdk'
import { beginSession } from '../operations/host-sessions.ts'
import { hostUses } from '../operations/host-uses.ts'
import { sessionId } from '../schema.ts'

export const beginHostSession = defineRoute({
  name: 'sessions.begin',
  description:
    'Register a session of an agent host, or continue one; the hook of a host calls it. The session is listed with its host and repo, and its work is kept on a branch of the brain until it ends. Returns {sessionId, repo, branch?, unfinished}.',
  capability: 'work',
  effect: 'write',
  rest: 'POST /api/sessions/begin',
  input: Type.Object(
    {
      sessionId,
      host: plainLineText(100, { description: 'Program, such as claude-code.' }),
      repo: Type.Optional(repoArgument),
      ...cloneArguments,
      machine: Type.Optional(plainLineText(200)),
      process: Type.Optional(plainLineText(200, { description: 'Its process on its machine.' })),
      // Not looked up: the task may be in the trash or removed by the time a report arrives, and no hook is refused for it.
      taskId: Type.Optional(plainLineText(200, { description: 'Task that it works on.' })),
    },
    closed,
  ),
  output: Type.Object(
    {
      sessionId: Type.String(),
      repo: Type.String(),
      branch: Type.Optional(Type.String()),
      unfinished: Type.Array(
        Type.Object({ sessionId: Type.String(), machine: Type.Optional(Type.String()), process: Type.Optional(Type.String()) }, closed),
        { description: 'Other sessions of the repo that have not ended.' },
      ),
    },
    closed,
  ),
  errors: [ManagedReposInvalid],
  uses: hostUses,
  handle: (args, uses, ctx) => beginSession(args, uses, ctx),
})
