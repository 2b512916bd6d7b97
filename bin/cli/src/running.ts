import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, hostname } from 'node:os'
import { isAbsolute, join } from 'node:path'
import type { Settings } from '@gateway/settings'
import type { Env } from './command.ts'

/** Settings that decide who needs no credential. */
export type Trust = Pick<Settings, 'host' | 'loopbackTrust' | 'allowedHosts' | 'trustedProxies'>

/** Process that serves a data folder, and its address: a command finds it without options. */
export interface Running {
  readonly url: string
  readonly pid: number
  /** Name of its machine. */
  readonly host: string
  /** Absent if an older version wrote the file. */
  readonly trust?: Trust
}

const fileIn = (dataDir: string): string => join(dataDir, 'process', 'service.json')

/** Same as in the settings, which a client does not load: a test keeps the two equal. */
export function dataFolder(env: Env): string {
  if (env.GATEWAY_DATA_DIR) return env.GATEWAY_DATA_DIR
  const base = env.XDG_DATA_HOME
  return base && isAbsolute(base) ? join(base, 'gateway') : join(env.HOME ?? homedir(), '.local', 'share', 'gateway')
}

/** Called by the holder of the folder's lock when the service can be reached. */
export function announceRunning(dataDir: string, url: string, settings?: Trust): { forget(): void } {
  const file = fileIn(dataDir)
  const running: Running = { url, pid: process.pid, host: hostname(), ...(settings && { trust: trustOf(settings) }) }
  writeFileSync(`${file}.new`, JSON.stringify(running), { mode: 0o600 })
  renameSync(`${file}.new`, file)
  return { forget: () => rmSync(file, { force: true }) }
}

const trustOf = ({ host, loopbackTrust, allowedHosts, trustedProxies }: Trust): Trust => ({
  host,
  loopbackTrust,
  allowedHosts,
  trustedProxies,
})

/** Returns the service of a data folder, if its process lives on this machine. */
export function runningIn(dataDir: string): Running | undefined {
  try {
    const running = JSON.parse(readFileSync(fileIn(dataDir), 'utf8')) as Running
    return running.host === hostname() && URL.canParse(running.url) && isAlive(running.pid) ? running : undefined
  } catch {
    return undefined
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
