import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { benches } from './support.ts'

const bench = benches()
const guide = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'guides', 'runner.md'), 'utf8')
const { sandbox } = JSON.parse(/^\{ "sandbox": .*\}$/m.exec(guide)?.[0] ?? '{}') as { sandbox: readonly string[] }
const isMissing = spawnSync('bwrap', ['--ro-bind', '/', '/', '--unshare-net', 'true']).status !== 0

test('in the sandbox of the guide an agent commits its work, writes nowhere else, reaches no network and leaves no process', {
  skip: isMissing && 'bwrap is not installed, or may make no namespaces here',
}, async (t) => {
  const b = await bench(t)
  const places = { '/home/me/.local/state/gateway/runner': join(b.folder, 'state'), '/home/me/hello/.git': join(b.repo, '.git') }
  b.configure({ sandbox: sandbox.map((word) => places[word as keyof typeof places] ?? word) })
  // A temporary folder of its own is all that it can write besides; the gateway stands for the network.
  const outside = [join(b.folder, 'outside'), join(b.repo, 'in-clone'), join(import.meta.dirname, 'beside-the-test')]
  // A process with neither the group of the run nor its mark.
  const hidden = `sleep ${600 + Math.random()}`
  const script = [
    `env -i setsid ${hidden} > ${b.folder}/state/hidden.log 2>&1 &`,
    `for file in ${outside.join(' ')}; do touch $file; done`,
    'if curl --silent --max-time 5 "$GATEWAY_URL/health"; then touch online.txt; fi',
    'echo two > b.txt; git add b.txt; git -c user.name=A -c user.email=a@gateway.invalid commit --quiet -m "Add two"',
    'echo "summary=Done inside." > "$GATEWAY_RESULT_FILE"',
  ]
  const taskId = await b.task(script.join('\n'))
  const { stdout, stderr } = await b.once()
  assert.match(stdout, /delivered/, stdout + stderr)
  assert.equal(b.git('ls-tree', '--name-only', `task/${taskId}`), 'a.txt\nb.txt')
  assert.match((await b.get(taskId)).notes, /Done inside\./)
  assert.deepEqual(
    outside.filter((file) => existsSync(file)),
    [],
  )
  assert.equal(existsSync(join(b.folder, 'state', 'hidden.log')), true)
  const commands = readdirSync('/proc').flatMap((pid) => {
    try {
      return /^\d+$/.test(pid) ? [readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()] : []
    } catch {
      return []
    }
  })
  assert.equal(commands.includes(hidden), false)
})
