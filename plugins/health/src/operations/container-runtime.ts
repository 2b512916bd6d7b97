import { stat } from 'node:fs/promises'
import { connect } from 'node:net'
import type { HealthFinding } from '@gateway/sdk'

const MAX_WAIT_MS = 2_000
const MAX_STATUS_LINE = 100

/** Sockets of container runtimes, the one from the environment first. */
function candidates(setting: string, env: NodeJS.ProcessEnv): string[] {
  if (setting !== '') return [setting]
  const { DOCKER_HOST, XDG_RUNTIME_DIR } = env
  if (DOCKER_HOST?.startsWith('unix://')) return [DOCKER_HOST.slice('unix://'.length)]
  const rootless = XDG_RUNTIME_DIR === undefined ? [] : [`${XDG_RUNTIME_DIR}/docker.sock`, `${XDG_RUNTIME_DIR}/podman/podman.sock`]
  return ['/var/run/docker.sock', '/run/podman/podman.sock', ...rootless]
}

/**
 * Checks the container runtime of this machine. The gateway needs none, so its absence is not a fault, unless a setting names its
 * place; one that exists and does not answer is a fault, because agents in containers cannot start.
 */
export async function containerRuntime(setting: string, env = process.env): Promise<HealthFinding> {
  for (const path of candidates(setting, env)) {
    if (!(await isSocket(path))) continue
    const fault = await ping(path)
    return fault === undefined ? { status: 'healthy', present: true } : { status: 'degraded', present: true, error: fault }
  }
  if (setting === '') return { status: 'healthy', present: false }
  return { status: 'degraded', present: false, error: 'there is no socket where the setting containerSocket says' }
}

async function isSocket(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isSocket()
  } catch {
    return false
  }
}

/** Asks over the socket like any client of Docker's interface; returns the fault, if any. */
function ping(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(path)
    let line = ''
    const end = (fault: string | undefined): void => {
      socket.destroy()
      resolve(fault)
    }
    socket.setTimeout(MAX_WAIT_MS, () => end('it does not answer'))
    // A socket that sends without end is never idle.
    const limit = setTimeout(() => end('it does not answer'), MAX_WAIT_MS)
    socket.once('close', () => clearTimeout(limit))
    socket.on('error', ({ code }: NodeJS.ErrnoException) => end(`it cannot be reached (${code ?? 'unknown'})`))
    socket.on('end', () => end('it ends without an answer'))
    socket.setEncoding('latin1').on('data', (part: string) => {
      line += part
      if (!line.includes('\n') && line.length < MAX_STATUS_LINE) return
      const status = /^HTTP\/1\.[01] (\d{3})/.exec(line)?.[1]
      end(status === '200' ? undefined : `it answers ${status ?? 'with something else than HTTP'}`)
    })
    socket.end('GET /_ping HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  })
}
