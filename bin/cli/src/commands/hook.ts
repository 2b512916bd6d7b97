import { CommandError, EXIT, urlOption } from '@gateway/sdk/command'
import { connect } from '../client.ts'
import { defineCommand, type Env } from '../command.ts'
import { type HookInput, readInput } from '../hook/input.ts'
import { begin, end, type Session, send, use } from '../hook/session.ts'
import { statusLine, turnEnd } from '../hook/usage.ts'

/** A session waits for its hooks, but not for long at its end. */
const DEFAULT_MS = 3_000
function limits({ GATEWAY_HOOK_TIMEOUT_MS: text = '' }: Env): { briefMs: number; longMs: number } {
  const ms = /^\d{1,6}$/.test(text) ? Number(text) : DEFAULT_MS
  return { briefMs: ms, longMs: ms }
}
const EVENTS = new Map<string, (session: Session) => Promise<object | string | undefined>>([
  ['session-start', begin],
  ['tool-use', use],
  ['turn-end', turnEnd],
  ['session-end', end],
  ['status-line', statusLine],
  ['send', send],
])
const EVENT_NAMES = [...EVENTS.keys()].join(', ')
/** A host would show the fault of each step. */
const SILENT = ['tool-use', 'turn-end', 'status-line', 'send']

export default defineCommand({
  summary: 'Run the session hooks of an agent host.',
  usage: [...EVENTS.keys()].join(' | '),
  answersUnknownSubcommands: true,
  details: [
    'Reads the host’s JSON (`session_id`, `cwd`) from standard input and answers in JSON, as Claude Code, Codex and Gemini CLI expect it.',
    '`session-start` registers the session, gives it what `context_boot` says of the repo, and registers a repo that is unknown. `tool-use`',
    'keeps one step on disk, which is sent later, in batches. `session-end` hands over what git knows of the work, unless the session did so',
    'itself, or left nothing, and ends the session. `send` sends what waits on disk. Outside of a git repository nothing is done.',
    'The conversation is sent as well, in pieces, without secrets and results of tools; GATEWAY_HOOK_TRANSCRIPTS=0 switches that off. A hook never',
    'fails its host: an error is one line that the host shows, and the exit code is 0. GATEWAY_HOOK_TIMEOUT_MS limits each call of the',
    'gateway; 3000 unless set.',
    '`status-line` is the status line of Claude Code: it shows the model and the used part of the account’s quotas, and records them, as',
    '`turn-end` does for Codex. `gateway connect` sets both up. The account is --account, else GATEWAY_ACCOUNT, else the one that Claude Code',
    'is signed in with, else the host’s name.',
  ].join('\n'),
  options: {
    account: { type: 'string', value: 'NAME', description: 'Account whose quotas the host shows.' },
    line: { type: 'string', value: 'COMMAND', description: 'status-line: this command makes the line, from the same input.' },
    ...urlOption,
  },
  async run({ values, positionals: [event], env: own, cwd, output }) {
    const env = values.url === undefined ? own : { ...own, GATEWAY_URL: values.url }
    if (event === undefined) throw new CommandError(EXIT.usage, `Expected \`gateway hook\` and an event: ${EVENT_NAMES}.`)
    try {
      const act = EVENTS.get(event)
      if (!act) throw new CommandError(EXIT.usage, `The event must be one of ${EVENT_NAMES}; got ${JSON.stringify(event)}.`)
      const input: HookInput = act === send ? {} : await readInput(process.stdin)
      const client = () => connect(undefined, env, limits(env))
      const answer = await act({ client, env, folder: input.cwd ?? cwd, input, account: values.account, lineCommand: values.line })
      if (answer !== undefined) output.line(typeof answer === 'string' ? answer : JSON.stringify(answer))
    } catch (error) {
      if (SILENT.includes(event)) return EXIT.ok
      output.line(JSON.stringify({ systemMessage: `gateway: ${(error as Error).message}` }))
    }
    return EXIT.ok
  },
})
