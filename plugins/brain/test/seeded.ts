import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { blobId, renderAtom } from '../src/rules/atom-file.ts'
import { atomPath, stampOf } from '../src/rules/paths.ts'

const BEGIN = Date.UTC(2025, 0, 1)
const env = { PATH: process.env.PATH, HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' }

/**
 * Creates a brain that someone else has filled: one commit for each content, oldest first, an hour apart, each naming a commit of
 * the code.
 */
export async function seedRepository(
  dataDir: string,
  contents: readonly string[],
  repoOf: (n: number) => string = () => 'web',
): Promise<void> {
  const folder = join(dataDir, 'brains', 'local.git')
  await mkdir(folder, { recursive: true })
  await once(spawn('git', ['init', '-q', '--bare', '-b', 'main', folder], { env }), 'exit')
  const git = spawn('git', ['-C', folder, 'fast-import', '--quiet', '--date-format=raw'], { env, stdio: ['pipe', 'ignore', 'inherit'] })
  git.stdin.end(contents.map((content, n) => commit(content, n, repoOf(n))).join(''))
  const [code] = await once(git, 'exit')
  if (code !== 0) throw new Error(`git fast-import ended with ${code}`)
}

function commit(content: string, n: number, repo: string): string {
  const at = new Date(BEGIN + n * 3_600_000)
  const front = { kind: 'session', repo, slug: `s${n}`, topic: 'docs', created: at.toISOString(), code_sha: codeSha(n) }
  const text = renderAtom(front, content)
  const path = atomPath({ kind: 'session', namespace: repo, stamp: stampOf(at), slug: `s${n}`, sha8: blobId(text).slice(0, 8) })
  const message = `session(${repo}): s${n}\n`
  return `commit refs/heads/main\ncommitter Op <op@local> ${at.getTime() / 1_000} +0000\ndata ${message.length}\n${message}M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`
}

export const codeSha = (n: number): string => (n + 1).toString(16).padStart(40, '0')
