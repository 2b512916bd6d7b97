import { hostname } from 'node:os'
import { defined } from '@gateway/sdk'
import { CommandError, EXIT, isCommandError, type ServiceClient } from '@gateway/sdk/command'
import { connect } from '../client.ts'
import { defineCommand, type Env } from '../command.ts'
import { rememberBeginning, takeBeginning } from '../hook/beginning.ts'
import { headAt, repoAt, workSince } from '../hook/git.ts'
import { AUTHOR, type Before, handoffText } from '../hook/handoff.ts'
import { readInput } from '../hook/input.ts'

/** A session waits for its hooks, at its end not for long. */
const LIMITS = { briefMs: 3_000, longMs: 3_000 }

export default defineCommand({
  summary: 'Run the hooks of an agent’s host, when a session begins and when it ends.',
  usage: 'session-start | session-end',
  details: [
    'Reads the host’s JSON (`session_id`, `cwd`) from standard input and answers in JSON, as Claude Code, Codex and Gemini CLI expect it.',
    '`session-start` gives the session what `context_boot` says of the repo; `session-end` hands over what git knows of its work,',
    'unless the session did so itself, or left nothing. A service that is not reached stops no session: it is said, and the exit code is 0.',
  ].join('\n'),
  options: {},
  async run({ positionals: [event, ...more], env, cwd, output }) {
    const act = event === 'session-start' ? begin : event === 'session-end' ? end : undefined
    if (!act || more.length > 0) throw new CommandError(EXIT.usage, 'Expected `gateway hook session-start` or `session-end`.')
    const { sessionId, cwd: folder = cwd } = await readInput(process.stdin)
    try {
      const client = connect(undefined, env, LIMITS)
      const answer = await act({ client, env, folder, sessionId })
      if (answer) output.line(JSON.stringify(answer))
    } catch (error) {
      if (!isCommandError(error)) throw error
      output.line(JSON.stringify({ systemMessage: `gateway: ${error.message}` }))
    }
    return EXIT.ok
  },
})

interface Session {
  readonly client: ServiceClient
  readonly env: Env
  readonly folder: string
  readonly sessionId: string | undefined
}

async function begin({ client, env, folder, sessionId }: Session): Promise<object> {
  const [repo, head] = await Promise.all([repoAt(folder), headAt(folder)])
  if (sessionId !== undefined && head !== '') rememberBeginning(sessionId, head, env)
  const { bundle } = (await client.call('context_boot', { ...defined({ repo }) })) as { bundle: string }
  const asked =
    sessionId === undefined || repo === undefined
      ? ''
      : `\n\nWhen you hand over, call handoff_write with repo "${repo}" and sessionId "${sessionId}".`
  return { hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: `${bundle.trimEnd()}${asked}` } }
}

async function end({ client, env, folder, sessionId }: Session): Promise<undefined> {
  const repo = await repoAt(folder)
  const head = sessionId === undefined ? undefined : takeBeginning(sessionId, env)
  if (repo === undefined) return
  const work = await workSince(folder, head)
  if (work.commits.length === 0 && work.uncommitted.length === 0) return
  const { latest } = (await client.call('handoff_read', { repo })) as { latest: (Before & { sessionId?: string }) | null }
  if (latest && sessionId !== undefined && latest.sessionId === sessionId) return
  await client.call('handoff_write', {
    repo,
    ...handoffText(work, latest),
    author: AUTHOR,
    machine: hostname().slice(0, 200),
    ...(work.branch !== '' && { branch: work.branch.slice(0, 250) }),
    ...defined({ sessionId }),
  })
}
