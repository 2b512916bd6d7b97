import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Settings } from '@gateway/settings'
import { clientOf } from '../client.ts'
import { runningIn } from '../running.ts'
import { localUrl } from '../service-address.ts'
import { type Finding, findings } from './finding.ts'

/** Checks that the service of this data folder answers, wherever it listens; else that the address is free for a start. */
export async function checkAddress({ host, port, dataDir }: Pick<Settings, 'host' | 'port' | 'dataDir'>): Promise<Finding> {
  const { ok, warn, fail } = findings('address')
  const running = runningIn(dataDir)
  if (running !== undefined) {
    const { found, connected } = await gatewayAt(running.url)
    if (!found)
      return warn(
        `process ${running.pid} has this data folder and says that it serves ${running.url}, where no gateway answers`,
        'Read its log; a restart may help.',
      )
    const served = `${found} answers at ${running.url}, on this data folder`
    return connected ? ok(served) : warn(`${served}; its store does not answer`, 'Read its log; a restart opens the store again.')
  }
  if (port === 0) return ok(`${host}, any free port`)
  const url = localUrl({ GATEWAY_HOST: host, GATEWAY_PORT: String(port) })
  const { found } = await gatewayAt(url)
  if (found)
    return fail(
      `${found} answers at ${url}, and works on another data folder`,
      'Set GATEWAY_PORT to a free port, or GATEWAY_DATA_DIR to its folder.',
    )
  const fault = await listenOnce(host, port)
  if (fault === undefined) return ok(`${host}:${port} is free`)
  if (fault === 'EADDRINUSE') return fail(`${host}:${port} is taken by another program`, 'Set GATEWAY_PORT to a free port.')
  return fail(`${host}:${port} cannot be listened on (${fault})`, 'Set GATEWAY_HOST to an address of this machine.')
}

async function gatewayAt(url: string): Promise<{ readonly found?: string; readonly connected: boolean }> {
  const status = (await clientOf({ url, source: 'local' }, {})
    .get('/status')
    .catch(() => ({}))) as { name?: unknown; version?: unknown; database?: unknown }
  const connected = status.database === 'connected'
  // A service that requires a credential from every caller does not report its version.
  const version = typeof status.version === 'string' ? ` ${status.version}` : ''
  return status.name === 'gateway' ? { found: `a gateway${version}`, connected } : { connected }
}

async function listenOnce(host: string, port: number): Promise<string | undefined> {
  const server = createServer()
  try {
    server.listen(port, host)
    await once(server, 'listening')
    return undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error)
  } finally {
    server.close()
  }
}
