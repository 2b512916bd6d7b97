import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { GatewayProcess } from '../gateway/spawn.ts'

const identity = { GIT_AUTHOR_NAME: 'Op', GIT_AUTHOR_EMAIL: 'op@local', GIT_COMMITTER_NAME: 'Op', GIT_COMMITTER_EMAIL: 'op@local' }

/** The installed git in its own folder, as a person runs it against a hosted brain. */
export class GitClient {
  readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  start(...args: readonly string[]): ChildProcess {
    const env = { PATH: process.env.PATH, HOME: '/nonexistent', GIT_TERMINAL_PROMPT: '0', GIT_CONFIG_NOSYSTEM: '1', ...identity }
    return spawn('git', ['-C', this.folder, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  }

  /** Returns the output; rejects with the error output. */
  async run(...args: readonly string[]): Promise<string> {
    const child = this.start(...args)
    const [[code], out, complaint] = await Promise.all([once(child, 'exit'), text(child.stdout as never), text(child.stderr as never)])
    if (code !== 0) throw new Error(`git ${args.join(' ')}: ${complaint}`)
    return out.trim()
  }

  /** Commits atoms with the given random kilobytes each, which hardly compress. */
  async commitAtoms(slug: string, count: number, kilobytes: number): Promise<string> {
    for (let i = 0; i < count; i++) {
      const content = `# ${slug} ${i}\n\n${lines(kilobytes)}`
      const sha8 = createHash('sha1')
        .update(`blob ${Buffer.byteLength(content)}\0${content}`)
        .digest('hex')
        .slice(0, 8)
      const path = join(this.folder, 'repos/web/session/20260106', `20260106T090000Z-${slug}-${i}-${sha8}.md`)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, content)
    }
    await this.run('add', '-A')
    await this.run('commit', '-qm', slug)
    return this.run('rev-parse', 'HEAD')
  }
}

const lines = (kilobytes: number): string => Array.from({ length: kilobytes }, () => randomBytes(768).toString('base64')).join('\n')

/** Returns the address of the operator's hosted brain with a fresh token. */
export async function hostedBrain(gateway: GatewayProcess): Promise<string> {
  const answer = await fetch(`${gateway.url}/api/tools/brain_host_provision`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  const { token, ...more } = (await answer.json()) as { token?: string }
  if (token === undefined) throw new Error(`the brain is not hosted: ${JSON.stringify(more)}`)
  return `http://any:${token}@${new URL(gateway.url).host}/git/local/brain.git`
}
