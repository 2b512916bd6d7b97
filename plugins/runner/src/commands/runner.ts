import { CommandError, commandHandler, EXIT, jsonOption, urlOption } from '@gateway/sdk'
import { checkPlaces } from '../operations/check-places.ts'
import { drainRunners } from '../operations/drain.ts'
import { loadConfig } from '../operations/load-config.ts'
import { serve } from '../operations/serve.ts'
import { showStatus } from '../operations/status.ts'
import { stopSignals } from '../operations/stop-signals.ts'

/** Time for the answers that are under way when a drained runner ends. */
const LAST_ANSWERS_MS = 300
const ACTIONS = ['start', 'once', 'status', 'drain'] as const

export default commandHandler({
  usage: 'start | once | status | drain',
  details: [
    '`start` takes tasks from the queue until it is stopped; `once` works on one task, if there is one, and ends with 1 when it failed.',
    'Each task is worked on by an agent in a git worktree on the branch `task/<id>`. Without runner.json, tasks of the repo in the current folder go to Claude Code.',
    'SIGTERM (or `drain`, for all runners of this machine) lets runs finish; a second SIGTERM returns their tasks to the queue.',
    '`status` shows the runners and runs of this machine, and all machines.',
  ].join('\n'),
  options: {
    config: { type: 'string', value: 'FILE', description: 'Default: runner.json of the current folder, if there is one.' },
    ...urlOption,
    ...jsonOption,
  },
  async run({ values, positionals: [action, ...more], env, output, connect }) {
    if (!ACTIONS.some((name) => name === action) || more.length > 0) {
      throw new CommandError(EXIT.usage, 'Expected `gateway runner start`, `once`, `status` or `drain`.')
    }
    const config = await loadConfig(values.config, env)
    if (action === 'status') {
      await showStatus(connect(), config, output, values.json === true)
      return EXIT.ok
    }
    if (action === 'drain') {
      const drained = await drainRunners(config)
      if (values.json) output.json({ drained: drained.map(({ pid }) => pid) })
      else output.line(drained.length === 0 ? 'No runner works on this machine.' : `${drained.length} ended after their runs.`)
      return EXIT.ok
    }
    await checkPlaces(config, env)
    const { end, ...signals } = stopSignals()
    try {
      const quiet = { line: () => undefined, complain: (sentence: string) => output.complain(sentence) }
      const ends = await serve({
        client: connect(),
        config,
        env,
        output: values.json ? quiet : output,
        once: action === 'once',
        ...signals,
      })
      if (values.json) output.json({ runs: ends })
      else if (action === 'once' && ends.length === 0 && config.lanes.length > 0) output.line('There is no task to work on.')
      return ends.some(({ kind }) => kind === 'failed') && action === 'once' ? EXIT.failure : EXIT.ok
    } finally {
      end()
      // A claim that still waits would keep the process alive; the gateway drops it with the connection.
      if (signals.drain.aborted) setTimeout(() => process.exit(), LAST_ANSWERS_MS).unref()
    }
  },
})
