import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Settings } from '@gateway/settings'
import { connect } from '../client.ts'
import { type Finding, findings } from './finding.ts'

/** Whether the address is free for a start, or a gateway already answers there. */
export async function checkAddress({ host, port }: Pick<Settings, 'host' | 'port'>): Promise<Finding> {
  const { ok, warn, fail } = findings('address')
  if (port === 0) return ok(`${host}, any free port`)
  const service = connect(undefined, { GATEWAY_HOST: host, GATEWAY_PORT: String(port) })
  const status = (await service.get('/status').catch(() => ({}))) as { name?: unknown; version?: unknown; database?: unknown }
  if (status.name === 'gateway') {
    const running = `a gateway ${String(status.version)} answers at ${service.url}`
    return status.database === 'connected'
      ? ok(running)
      : warn(`${running}, its store does not`, 'Read its log; a restart opens the store anew.')
  }
  const fault = await listenOnce(host, port)
  if (fault === undefined) return ok(`${host}:${port} is free`)
  if (fault === 'EADDRINUSE') return fail(`${host}:${port} is taken by another program`, 'Set GATEWAY_PORT to a free port.')
  return fail(`${host}:${port} cannot be listened on (${fault})`, 'Set GATEWAY_HOST to an address of this machine.')
}

/** The code of what is in the way. */
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
