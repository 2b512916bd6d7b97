import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { blobId, renderAtom } from '../plugins/brain/src/rules/atom-file.ts'
import { atomPath, stampOf } from '../plugins/brain/src/rules/paths.ts'

/** Number of repos, and of days, that atoms are spread over, like those of a fleet. */
export const REPOS = 20
const DAYS = 200
const WORDS = ['invoice', 'runner', 'lease', 'budget', 'deploy', 'schema', 'parser', 'retry', 'cache', 'token', 'queue', 'merge']

/** Creates a brain of `count` atoms, each in its own commit, with git itself. */
export async function seedBrain(dataDir: string, count: number): Promise<void> {
  const folder = join(dataDir, 'brains', 'local.git')
  mkdirSync(folder, { recursive: true })
  const env = { PATH: process.env.PATH, HOME: dataDir, GIT_CONFIG_NOSYSTEM: '1' }
  await once(spawn('git', ['init', '-q', '--bare', '-b', 'main', folder], { env }), 'exit')
  const git = spawn('git', ['-C', folder, 'fast-import', '--quiet', '--date-format=raw'], { env, stdio: ['pipe', 'ignore', 'inherit'] })
  for (let n = 0; n < count; n++) if (!git.stdin.write(commit(n, count))) await once(git.stdin, 'drain')
  git.stdin.end()
  const [code] = await once(git, 'exit')
  if (code !== 0) throw new Error(`git fast-import ended with ${code}`)
}

function commit(n: number, count: number): string {
  const at = new Date(Date.UTC(2026, 0, 1) + Math.floor((n / count) * DAYS) * 86_400_000 + (n % 86_400) * 1_000)
  const namespace = `repo-${n % REPOS}`
  const word = (step: number): string => WORDS[(n * step) % WORDS.length] as string
  const content = `# ${word(5)} ${n}\n\n@agent-${n % 40} changed src/${word(7)}/${word(11)}.ts for feature:${word(3)}: ${`${word(1)} and ${word(2)}, because of ${n}. `.repeat(8)}`
  const slug = `atom-${n}`
  const codeSha = (n + 1).toString(16).padStart(40, '0')
  const text = renderAtom({ kind: 'session', repo: namespace, slug, topic: word(1), created: at.toISOString(), code_sha: codeSha }, content)
  const path = atomPath({ kind: 'session', namespace, stamp: stampOf(at), slug, sha8: blobId(text).slice(0, 8) })
  const message = `session(${namespace}): ${slug}\n`
  return `commit refs/heads/main\ncommitter Bench <bench@local> ${at.getTime() / 1_000} +0000\ndata ${message.length}\n${message}M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`
}
