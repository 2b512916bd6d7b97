import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { runCommand } from '@gateway/cli'
import { standardPlugins } from '@gateway/standard'
import { commands } from '../../bin/cli/src/commands.ts'
import { needing } from '../support/programs.ts'

const script = async (shell: string): Promise<string> =>
  (await runCommand({ plugins: async () => standardPlugins, argv: ['completion', shell], env: { HOME: '/nonexistent' }, cwd: tmpdir() }))
    .stdout

for (const shell of ['bash', 'zsh', 'fish']) {
  test(`completion ${shell} has every command, subcommand, option, tool and family, those of plugins included`, async () => {
    const words = new Set((await script(shell)).split(/[\s"'();=]+/))
    const wanted = [
      ...Object.keys(commands),
      ...standardPlugins.flatMap((plugin) => plugin.commands.map(({ name }) => name)),
      ...standardPlugins.flatMap(({ tools }) => tools.map(({ name }) => name)),
      ...standardPlugins.filter(({ tools }) => tools.some(({ listing }) => listing !== 'core-only')).map(({ id }) => id),
      'verify',
      'search',
      'export',
      'install',
      'uninstall',
      'new',
      'check',
      'claude-code',
      'session-start',
      'rotate-key',
      'revoke',
      'core',
      ...(shell === 'fish' ? ['view', 'tenant', 'bundle'] : ['--view', '--tenant', '--bundle']),
    ]
    assert.deepEqual(
      wanted.filter((word) => !words.has(word)),
      [],
    )
  })
}

describe('in a shell', () => {
  let folder: string
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gateway-completion-'))
    for (const shell of ['bash', 'zsh', 'fish']) writeFileSync(join(folder, shell), await script(shell))
  })
  after(() => rmSync(folder, { recursive: true }))

  const completed = (...words: string[]): readonly string[] => {
    const ask = 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _gateway; printf "%s\\n" "${COMPREPLY[@]}"'
    return execFileSync('bash', ['-c', ask, 'bash', join(folder, 'bash'), 'gateway', ...words], { encoding: 'utf8' })
      .trim()
      .split('\n')
  }

  test(
    needing('bash', 'bash completes commands, subcommands, tools of call, and families of --view, each after a comma').name,
    needing('bash', ''),
    () => {
      assert.deepEqual(completed('whoa'), ['whoami'])
      assert.deepEqual(completed('tenant', 're'), ['reactivate'])
      assert.deepEqual(completed('key', 'rev'), ['revoke'])
      assert.deepEqual(completed('call', 'tasks_cl'), ['tasks_claim'])
      assert.deepEqual(completed('tools', 'mailb'), ['mailbox'])
      assert.deepEqual(completed('help', 'doc'), ['doctor'])
      assert.deepEqual(completed('connect', 'cursor', '--vi'), ['--view'])
      assert.deepEqual(completed('connect', 'cursor', '--view', 'cor'), ['core'])
      assert.deepEqual(completed('mcp', '--view', 'tasks,mailb'), ['tasks,mailbox'])
      assert.deepEqual(completed('tenant', 'list', '--js'), ['--json'])
    },
  )

  for (const shell of ['zsh', 'fish'])
    test(needing(shell, `${shell} reads its script without a complaint`).name, needing(shell, ''), () => {
      assert.equal(execFileSync(shell, ['-n', join(folder, shell)], { encoding: 'utf8' }), '')
    })
})
