import { CommandError, EXIT, urlOption } from '@gateway/sdk/command'
import { notReached } from '@gateway/stdio-bridge/not-reached'
import { callerHeaders } from '../client.ts'
import { defineCommand } from '../command.ts'
import { endpointPath, viewOption } from '../endpoint-path.ts'
import { serviceAddress } from '../service-address.ts'
import { stopSignals } from '../stop-signals.ts'

const PATIENCE_SECONDS = 30

export default defineCommand({
  summary: 'Bridge an MCP client that speaks over standard streams to the running service.',
  usage: '[--view VIEW] [--wait SECONDS]',
  details: [
    'For clients that start a program and talk to it: JSON-RPC messages, one a line, on standard input and output.',
    'It holds no data and opens no store; it calls the service as the other commands do, with the same credential.',
    'Requests wait while the service restarts. It ends with its input; open requests then have one second to be answered.',
  ].join('\n'),
  options: {
    ...viewOption,
    wait: {
      type: 'string',
      value: 'SECONDS',
      description: `Seconds that a request waits for a service that does not run. Default: ${PATIENCE_SECONDS}.`,
    },
    ...urlOption,
  },
  async run({ values, env, output }) {
    const address = serviceAddress(values.url, env)
    const { url } = address
    const signals = stopSignals()
    const { Bridge, Endpoint } = await import('@gateway/stdio-bridge')
    const complain = (sentence: string): void => output.complain(`gateway mcp: ${sentence}`)
    const patience = patienceMs(values.wait)
    // Reports at once, since a client that waits gives up with its own text.
    const unreachable = (error: Error, waits: boolean): void =>
      complain(`${notReached(url, error)}${waits ? ` Requests wait for it, up to ${patience / 1_000} s.` : ''}`)
    const endpoint = new Endpoint(`${url}${endpointPath(values.view)}`, () => callerHeaders(address, env), patience, unreachable)
    await new Bridge({ input: process.stdin, output: process.stdout, endpoint, complain }).run(signals.first)
    // Unread output would keep the process running.
    setTimeout(() => process.exit(EXIT.ok), 100).unref()
    return EXIT.ok
  },
})

function patienceMs(wait: string | undefined): number {
  if (wait === undefined) return PATIENCE_SECONDS * 1_000
  if (!/^\d{1,5}(?:\.\d+)?$/.test(wait))
    throw new CommandError(EXIT.usage, `--wait must be a number of seconds; got ${JSON.stringify(wait)}.`)
  return Number(wait) * 1_000
}
