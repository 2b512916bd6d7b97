import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { DEFAULT_LIMITS, limitedCommand } from '../src/rules/limits.ts'
import { commit, MAIN, repository } from './support.ts'

const onLinux = { skip: process.platform !== 'linux' && 'it looks at processes by the files of Linux' }

function limited(program: string, ...args: readonly string[]): string {
  const made = limitedCommand({ memoryMegabytes: 64, cpuSeconds: 7 }, program, args)
  return execFileSync(made.command, made.args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
}

test('a program runs under limits of memory and CPU time, writes no core, and gets its arguments as they are', onLinux, () => {
  assert.equal(limited('/bin/sh', '-c', 'ulimit -d; ulimit -t; ulimit -c'), '65536\n7\n0\n')
  const odd = ['a b', '$(id)', '"', "'", '', ';', '-x']
  assert.equal(limited('/usr/bin/printf', '%s|', ...odd), `${odd.join('|')}|`)
})

test('a program beyond its memory fails instead of taking more', onLinux, () => {
  assert.throws(() => limited(process.execPath, '-e', 'Buffer.alloc(200_000_000, 1)'))
})

test('every git process of the helper runs under the limits, the long-running ones as well', onLinux, async (t) => {
  const { repo, helper } = await repository(t)
  const [tip] = await repo.tips([MAIN])
  await repo.write({ commits: [commit('one', { 'one.md': '1' })], tips: new Map([[MAIN, tip as string]]) })
  const seen = childrenOf(helper.pid as number)
  assert.ok(seen.length >= 3, 'cat-file, update-ref and a spare fast-import')
  for (const { command, limits } of seen) {
    assert.match(command, /git/)
    assert.match(limits, new RegExp(`Max data size +${DEFAULT_LIMITS.memoryMegabytes * 1_048_576} `), command)
    assert.match(limits, new RegExp(`Max cpu time +${DEFAULT_LIMITS.cpuSeconds} `), command)
  }
})

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function childrenOf(parent: number) {
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid) && new RegExp(`^PPid:\\s+${parent}$`, 'm').test(read(`/proc/${pid}/status`)))
    .map((pid) => ({ command: read(`/proc/${pid}/cmdline`).replaceAll('\0', ' '), limits: read(`/proc/${pid}/limits`) }))
}
