import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { waitForGit } from '../src/operations/git.ts'

test('git processes of a dead runner are waited for, and those of others are not', async (t) => {
  const start = (runner: string) => spawn('sh', ['-c', 'echo ready; read -r line'], { env: { GATEWAY_RUNNER: runner } })
  const [own, other] = [start('1:1'), start('1:2')]
  t.after(() => other.kill('SIGKILL'))
  await Promise.all([own, other].map(({ stdout }) => once(stdout, 'data')))
  let ended = false
  const exit = once(own, 'exit').then(() => {
    ended = true
  })
  const waiting = waitForGit('1:1').then(() => ended)
  own.stdin.end('\n')
  const [hasEnded] = await Promise.all([waiting, exit])
  assert.deepEqual([hasEnded, other.exitCode], [true, null])
  await waitForGit('')
})
