import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Versions that the adapters were checked with. */
const PROGRAMS = {
  claude: ['@anthropic-ai/claude-code', '2.1.332'],
  codex: ['@openai/codex', '0.171.0'],
  gemini: ['@google/gemini-cli', '0.61.0'],
} as const
export type Program = keyof typeof PROGRAMS

/** Returns the path of an agent program, installed from npm into a folder that later runs use again; or the reason why it cannot run here. */
export function agentProgram(name: Program): { readonly path: string } | { readonly missing: string } {
  const [pack, version] = PROGRAMS[name]
  const folder = join(process.env.GATEWAY_TEST_AGENTS ?? join(tmpdir(), 'gateway-test-agents'), `${name}-${version}`)
  const path = join(folder, 'node_modules', '.bin', name)
  try {
    if (!existsSync(path)) {
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, 'package.json'), '{"private":true}')
      execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', `${pack}@${version}`], { cwd: folder, stdio: 'pipe' })
    }
    execFileSync(path, ['--version'], { stdio: 'pipe', timeout: 60_000 })
    return { path }
  } catch (error) {
    return { missing: `${pack} ${version} does not run here: ${(error as Error).message.split('\n')[0]}` }
  }
}
