import { CommandError, EXIT } from '@gateway/sdk/command'
import { connect } from '../client.ts'
import { defineCommand, type Env } from '../command.ts'
import { type HookInput, readInput } from '../hook/input.ts'
import { begin, end, send, use } from '../hook/session.ts'

/** A session waits for its hooks, but not for long at its end. */
const DEFAULT_MS = 3_000
function limits({ GATEWAY_HOOK_TIMEOUT_MS: text = '' }: Env): { briefMs: number; longMs: number } {
  const ms = /^\d{1,6}$/.test(text) ? Number(text) : DEFAULT_MS
  return { briefMs: ms, longMs: ms }
}
const EVENTS = new Map([
  ['session-start', begin],
  ['tool-use', use],
  ['session-end', end],
  ['send', send],
])

export default defineCommand({
  summary: 'Run the session hooks of an agent host.',
  usage: 'session-start | tool-use | session-end | send',
  answersUnknownSubcommands: true,
  details: [
    'Reads the host’s JSON (`session_id`, `cwd`) from standard input and answers in JSON, as Claude Code, Codex and Gemini CLI expect it.',
    '`session-start` registers the session, gives it what `context_boot` says of the repo, and registers a repo that is unknown. `tool-use`',
    'keeps one step on disk, which is sent later, in batches. `session-end` hands over what git knows of the work, unless the session did so',
    'itself, or left nothing, and ends the session. `send` sends what waits on disk. Outside of a git repository nothing is done.',
    'The conversation is sent as well, in pieces, without secrets and results of tools; GATEWAY_HOOK_TRANSCRIPTS=0 switches that off. A hook never',
    'fails its host: an error is one line that the host shows, and the exit code is 0. GATEWAY_HOOK_TIMEOUT_MS limits each call of the',
    'gateway; 3000 unless set.',
  ].join('\n'),
  options: {},
  async run({ positionals: [event], env, cwd, output }) {
    if (event === undefined) throw new CommandError(EXIT.usage, 'Expected `gateway hook session-start`, `tool-use` or `session-end`.')
    try {
      const act = EVENTS.get(event)
      if (!act)
        throw new CommandError(EXIT.usage, `The event must be session-start, tool-use or session-end; got ${JSON.stringify(event)}.`)
      const input: HookInput = act === send ? {} : await readInput(process.stdin)
      const answer = await act({ client: () => connect(undefined, env, limits(env)), env, folder: input.cwd ?? cwd, input })
      if (answer) output.line(JSON.stringify(answer))
    } catch (error) {
      // A host would show the line of each step.
      if (event === 'tool-use' || event === 'send') return EXIT.ok
      output.line(JSON.stringify({ systemMessage: `gateway: ${(error as Error).message}` }))
    }
    return EXIT.ok
  },
})
