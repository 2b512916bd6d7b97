import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { promisify } from 'node:util'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway } from '@gateway/testing'

export const program = join(import.meta.dirname, '../../bin/gateway.js')
export const REMOTE = 'git@git.example.org:acme/shop.git'

/** A gateway, a remote repo, and machines with clones of it. */
export async function setting(t: TestContext) {
  const service = await startTestGateway({ plugins: standardPlugins, listen: true })
  t.after(() => service.stop())
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'gateway-story-')))
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const origin = join(folder, 'origin')
  await mkdir(origin)
  const git = (cwd: string, ...args: string[]) =>
    promisify(execFile)('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
      cwd,
      env: { PATH: process.env.PATH ?? '', HOME: folder, GIT_CONFIG_NOSYSTEM: '1' },
    })
  await git(origin, 'init', '-q', '-b', 'main')
  await writeFile(join(origin, 'README.md'), 'Shop')
  await git(origin, 'add', '.')
  await git(origin, 'commit', '-qm', 'Begin')

  /** A machine of its own: a home folder with a clone that has any name. */
  async function machine(name: string, clone: string) {
    const home = join(folder, name)
    const root = join(home, clone)
    await mkdir(home)
    await git(home, 'clone', '-q', origin, root)
    await git(root, 'remote', 'set-url', 'origin', REMOTE)
    const env = {
      PATH: process.env.PATH ?? '',
      GATEWAY_URL: service.url,
      HOME: home,
      TMPDIR: home,
      CLAUDECODE: '1',
      GATEWAY_HOOK_TIMEOUT_MS: '60000',
    }
    const hook = async (event: string, input: object = {}, more: Record<string, string> = {}) => {
      const child = spawn(process.execPath, [program, 'hook', event], { cwd: root, env: { ...env, ...more } })
      child.stdin.end(JSON.stringify({ cwd: root, ...input }))
      const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
      assert.deepEqual([code, err], [0, ''])
      return out === '' ? undefined : JSON.parse(out)
    }
    return {
      root,
      env,
      hook,
      async start(id: string): Promise<string> {
        const { hookSpecificOutput, systemMessage } = await hook('session-start', { session_id: id })
        assert.equal(systemMessage, undefined)
        return hookSpecificOutput.additionalContext
      },
      use: (id: string, tool: string, input: object, response: object = {}) =>
        hook('tool-use', { session_id: id, tool_name: tool, tool_input: input, tool_response: response }),
      end: (id: string) => hook('session-end', { session_id: id }),
      async commit(name: string, message: string) {
        await writeFile(join(root, name), name)
        await git(root, 'add', '.')
        await git(root, 'commit', '-qm', message)
      },
    }
  }
  const decide = (id: string, content: string) =>
    service.call('brain_commit', { kind: 'session', repo: 'shop-a', slug: `note-${id}`, content, branch: `session/${id}` })
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  const get = async (path: string): Promise<any> => (await service.inject({ method: 'GET', url: path })).json()
  return { service, machine, decide, get }
}
