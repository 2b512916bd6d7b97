import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { CommandError, EXIT, type ServiceClient } from '@gateway/sdk'
import { Stopper } from '../src/operations/halt.ts'
import { holdClaim } from '../src/operations/hold-claim.ts'
import { benches, isAlive } from './support.ts'

const bench = benches()

test('a task becomes a commit on its branch, in review, with its diff, run and log', async (t) => {
  const b = await bench(t, {}, { setup: 'echo set up > setup.log; rm setup.log', check: 'grep -q two a.txt' })
  const taskId = await b.task('echo two >> a.txt; echo I changed a file; echo "summary=Added two." > "$GATEWAY_RESULT_FILE"')
  const { code, stdout, stderr } = await b.once()
  assert.deepEqual([code, /delivered/.test(stdout)], [0, true], stderr + stdout)
  const task = await b.get(taskId)
  assert.deepEqual([task.status, task.noopDispatch, task.executionLane], ['review', true, 'primary'])
  assert.match(task.notes, /1 file changed on the branch task\/task-.*\nAdded two\./)
  assert.equal(b.git('show', `task/${taskId}:a.txt`), 'one\ntwo')
  assert.equal(b.git('log', '--format=%s', `main..task/${taskId}`), 'A task')

  const { artifacts } = await b.gateway.call('artifacts_list', { taskId })
  assert.deepEqual(artifacts.map(({ kind }: { kind: string }) => kind).sort(), ['build-log', 'diff'])
  const { jobs } = await b.gateway.call('job_history_search', { taskId })
  assert.deepEqual(
    jobs.map(({ status, resultLine, machine, exitCode }: Record<string, unknown>) => [status, resultLine, machine, exitCode]),
    [['done', 'Added two.', 'm1', 0]],
  )
  const { logs } = await b.gateway.call('logs_list', { correlationId: taskId })
  assert.ok(logs.some(({ message, service }: Record<string, unknown>) => message === 'I changed a file' && service === 'agent'))
  assert.equal(
    (await b.gateway.call('traces_list', { taskId })).spans.filter(({ service }: Record<string, unknown>) => service === 'runner').length,
    1,
  )

  assert.equal(b.git('worktree', 'list').split('\n').length, 1)
  assert.deepEqual(readdirSync(join(b.folder, 'state', 'runs')), [])
  assert.equal((await b.gateway.call('runner_lease_list', {})).active, 0)
  assert.match((await b.once()).stdout, /\nThere is no task to work on\.\n$/)
})

test('the agent sees allowed variables alone, and its prompt on standard input', async (t) => {
  const b = await bench(t, { env: ['SHOWN_NAME'] })
  b.env.SHOWN_NAME = 'shown'
  b.env.SECRET_NAME = 'hidden'
  const taskId = await b.task('cat > prompt.txt; env > env.txt', { notes: 'Mind the gap.' })
  assert.equal((await b.once()).code, 0)
  const prompt = b.git('show', `task/${taskId}:prompt.txt`)
  assert.match(prompt, /^# A task\n/)
  assert.match(prompt, /Mind the gap\./)
  assert.match(prompt, new RegExp(`You work on \`${taskId}\` in \`${b.name}\``))
  assert.doesNotMatch(prompt, /operator|handoff_write/)
  const env = b.git('show', `task/${taskId}:env.txt`)
  assert.match(env, /^SHOWN_NAME=shown$/m)
  assert.doesNotMatch(env, /SECRET_NAME|GATEWAY_LOCAL_TOKEN/)
  assert.equal(env.includes(b.gateway.url), false)
})

test('the agent reaches the gateway with a key of its task, where this machine is not trusted', async (t) => {
  const b = await bench(t)
  const other = await b.task('true', { repo: 'elsewhere' })
  const ask = (name: string, method: string, path: string, more = '') =>
    `curl -s -o ${b.folder}/${name} -w '%{http_code}' -X ${method} ${more} "$GATEWAY_URL${path}" > ${b.folder}/${name}.status`
  const key = '-H "x-api-key: $GATEWAY_API_KEY"'
  const json = "-H 'content-type: application/json' -d"
  const taskId = await b.task(
    [
      ask('own', 'GET', '/api/tasks/$GATEWAY_TASK_ID', key),
      ask('note', 'POST', '/api/tools/tasks_update', `${key} ${json} '{"notes":"Seen by the agent."}'`),
      ask('other', 'GET', `/api/tasks/${other}`, key),
      ask('keys', 'GET', '/api/keys', key),
      ask('nobody', 'GET', '/api/tasks/$GATEWAY_TASK_ID'),
      `printf %s "$GATEWAY_API_KEY" > ${b.folder}/key; echo "my key is $GATEWAY_API_KEY"; echo two > b.txt`,
    ].join('\n'),
  )
  assert.equal((await b.once()).code, 0)
  const read = (name: string) => readFileSync(join(b.folder, name), 'utf8')
  const statuses = ['own', 'note', 'other', 'keys', 'nobody'].map((name) => read(`${name}.status`))
  assert.deepEqual(statuses, ['200', '200', '403', '403', '401'])
  assert.equal(JSON.parse(read('own')).task.taskId, taskId)
  assert.match((await b.get(taskId)).notes, /^Seen by the agent\.\n\n1 file changed/)
  const { logs } = await b.gateway.call('logs_list', { correlationId: taskId })
  assert.ok(logs.some(({ message }: Record<string, unknown>) => message === 'my key is [redacted]'))
  const late = await fetch(`${b.gateway.url}/api/tasks/${taskId}`, { headers: { 'x-api-key': read('key') } })
  assert.equal(late.status, 401)
})

test('tokens and cost of a run count towards budgets, once', async (t) => {
  const b = await bench(t)
  const taskId = await b.task(
    'printf "model=claude-opus-4-1\\nprovider=anthropic\\ninputTokens=10\\noutputTokens=5\\nusd=0.25\\n" > "$GATEWAY_RESULT_FILE"',
  )
  assert.equal((await b.once()).code, 0)
  const { jobs } = await b.gateway.call('job_history_search', { taskId })
  assert.deepEqual([jobs[0].usage.usd, jobs[0].usage.outputTokens, jobs[0].usage.agent], [0.25, 5, 'scripted'])
  const { byAgent } = await b.gateway.call('budgets_breakdown', {})
  assert.deepEqual(
    byAgent.flatMap(({ agent, costUsd, calls }: Record<string, unknown>) => (agent === 'scripted' ? [[costUsd, calls]] : [])),
    [[0.25, 1]],
  )
})

test('hooks of the repo are not run', async (t) => {
  const b = await bench(t)
  for (const hook of ['pre-commit', 'post-checkout', 'commit-msg', 'reference-transaction']) {
    writeFileSync(join(b.repo, '.git', 'hooks', hook), `#!/bin/sh\ntouch ${join(b.folder, 'hooked')}\n`, { mode: 0o755 })
  }
  await b.task('echo two >> a.txt')
  assert.equal((await b.once()).code, 0)
  assert.equal(existsSync(join(b.folder, 'hooked')), false)
})

test('locks that a killed git left in the worktree and on the branch hold up neither commit nor delivery', async (t) => {
  const b = await bench(t)
  const taskId = await b.task(
    [
      'echo two > b.txt; git config gc.auto > gc.txt; git config maintenance.auto >> gc.txt',
      'touch "$(git rev-parse --git-path index.lock)" "$(git rev-parse --git-path HEAD.lock)"',
      'common="$(git rev-parse --path-format=absolute --git-common-dir)"',
      'mkdir -p "$common/refs/heads/task"; touch "$common/refs/heads/task/$GATEWAY_TASK_ID.lock"',
    ].join('\n'),
  )
  const { stdout, stderr } = await b.once()
  assert.match(stdout, /delivered/, stderr)
  assert.deepEqual([b.git('show', `task/${taskId}:b.txt`), b.git('show', `task/${taskId}:gc.txt`)], ['two', '0\nfalse'])
  assert.equal(existsSync(join(b.repo, '.git', 'refs', 'heads', 'task', `${taskId}.lock`)), false)
})

const failures: readonly { name: string; script: string; repo?: object; config?: object; error: RegExp }[] = [
  {
    name: 'an agent that fails',
    script: 'echo it broke >&2; echo half > half.txt; exit 3',
    error: /^\[agent\] it ended with exit code 3: it broke\nThe work is kept on the branch rescue\/task-/,
  },
  {
    name: 'a check that fails',
    script: 'echo two > b.txt; echo "summary=All is done." > "$GATEWAY_RESULT_FILE"',
    repo: { check: 'echo wrong; false' },
    error: /^\[check\] `echo wrong; false` ended with exit code 1: wrong\nThe work is kept/,
  },
  {
    name: 'a setup that fails',
    script: 'true',
    repo: { setup: 'echo no network; exit 9' },
    error: /^\[setup\] .* ended with exit code 9: no network$/,
  },
  {
    name: 'a setup that fails without a word',
    script: 'true',
    repo: { setup: 'exit 9' },
    error: /^\[setup\] `exit 9` ended with exit code 9$/,
  },
  {
    name: 'a check that hangs',
    script: 'echo two > b.txt',
    repo: { check: 'trap "" TERM; sleep 60; sleep 60' },
    config: { limits: { checkMinutes: 0.01 } },
    error: /^\[timeout\] The check ran for longer than limits\.checkMinutes \(0\.01\)\.\nThe work is kept/,
  },
  {
    name: 'a reached limit of time',
    script: 'sleep 60',
    config: { limits: { minutes: 0.01 } },
    error: /^\[timeout\] The agent ran for longer than limits\.minutes \(0\.01\)\.$/,
  },
  {
    name: 'a refused credential',
    script: 'echo stop=auth > "$GATEWAY_RESULT_FILE"; echo "error=Please log in" >> "$GATEWAY_RESULT_FILE"',
    error: /^\[auth\] Please log in$/,
  },
  {
    name: 'a reached limit of money',
    script: 'echo stop=budget > "$GATEWAY_RESULT_FILE"; echo "error=Spent 5 USD" >> "$GATEWAY_RESULT_FILE"',
    error: /^\[budget\] Spent 5 USD$/,
  },
]
for (const { name, script, repo, config, error } of failures) {
  test(`${name} fails the task with its class, and keeps nothing but the work`, async (t) => {
    const b = await bench(t, config, repo)
    const taskId = await b.task(script)
    assert.equal((await b.once()).code, 1)
    const task = await b.get(taskId)
    assert.deepEqual([task.status, task.retryCount], ['pending', 1])
    assert.match(task.lastError, error)
    const { jobs } = await b.gateway.call('job_history_search', { taskId })
    assert.equal(jobs[0].resultLine, task.lastError.split('\n')[0])
    const [, rescued] = /(rescue\/\S+)\.$/.exec(task.lastError) ?? []
    assert.deepEqual(b.git('for-each-ref', '--format=%(refname:short)', 'refs/heads').split('\n'), ['main', ...(rescued ? [rescued] : [])])
    assert.equal(b.git('worktree', 'list').split('\n').length, 1)
  })
}

test('work of a run that lost its claim is named in the output, the job history and the notes, and nothing else is written to the task', async (t) => {
  const b = await bench(t)
  const taskId = await b.task(`echo half > half.txt; touch ${b.folder}/begun; sleep 60; sleep 60`)
  const running = b.once()
  while (!existsSync(join(b.folder, 'begun'))) await new Promise(setImmediate)
  await b.gateway.call('tasks_update', { taskId, status: 'blocked', notes: 'Stop it.' })
  const { stdout } = await running
  const [, rescued = ''] = /: lost: The task is blocked\. The work is kept on the branch (rescue\/\S+)\.$/m.exec(stdout) ?? []
  assert.equal(b.git('show', `${rescued}:half.txt`), 'half', stdout)
  const { jobs } = await b.gateway.call('job_history_search', { taskId })
  assert.match(jobs[0].errorExcerpt, new RegExp(`^The task is blocked\\.\nThe work is kept on the branch ${rescued}\\.`))
  const { status, notes, lastError } = await b.get(taskId)
  const told = `Stop it.\n\nA run on m1 did not deliver. The work is kept on the branch ${rescued}.`
  assert.deepEqual([status, notes, lastError], ['blocked', told, undefined])
})

test('the next run begins with work that was not delivered, and its branch goes when that is delivered', async (t) => {
  const b = await bench(t, {}, { check: 'test -e prompt.txt' })
  const taskId = await b.task('test -e half.txt && cat > prompt.txt; echo half >> half.txt')
  const again = async (): Promise<string> => {
    b.gateway.clock.advance(3_600)
    return (await b.once()).stdout
  }
  const branches = () => b.git('for-each-ref', '--format=%(refname:short)', 'refs/heads').split('\n')
  assert.match(await again(), /failed \(check\)/)
  const [, rescued = ''] = branches()
  assert.match(rescued, /^rescue\//)
  assert.match(await again(), /: delivered$/m)
  assert.deepEqual(branches(), ['main', `task/${taskId}`])
  assert.equal(b.git('show', `task/${taskId}:half.txt`), 'half\nhalf')
  assert.match(b.git('show', `task/${taskId}:prompt.txt`), new RegExp(`Your branch begins with that work, which ${rescued} keeps`))
  assert.match((await b.get(taskId)).notes, /2 files changed/)
})

test('a run that adds nothing to kept work names its branch, and the branch of the task is as before', async (t) => {
  const b = await bench(t)
  const taskId = await b.task(`test -e half.txt || echo half > half.txt; test -e ${b.folder}/good`)
  const fail = async (): Promise<string> => {
    b.gateway.clock.advance(3_600)
    assert.match((await b.once()).stdout, /: failed/)
    return /rescue\/\S+(?=\.)/.exec((await b.get(taskId)).lastError)?.[0] as string
  }
  const first = await fail()
  assert.deepEqual([await fail(), b.git('branch', '--list', 'task/*')], [first, ''])
})

test('a run is kept in the memory of its repo, and the next one is told of it', async (t) => {
  const b = await bench(t)
  await b.task('echo two >> a.txt; echo "summary=The turnstile counts twice." > "$GATEWAY_RESULT_FILE"')
  assert.match((await b.once()).stdout, /: delivered$/m)
  const { results } = await b.gateway.call('memory_search', { query: 'turnstile counts', repo: b.name })
  assert.match(JSON.stringify(results), /The turnstile counts twice/)
  await b.task('true; false', { title: 'Look again' })
  assert.equal((await b.once()).code, 1)
  const failed = await b.gateway.call('memory_search', { query: 'Look again', repo: b.name })
  assert.match(JSON.stringify(failed.results), /The run failed: \[agent\]/)
  const next = await b.task('cat > prompt.txt')
  assert.match((await b.once()).stdout, /: delivered$/m)
  assert.match(b.git('show', `task/${next}:prompt.txt`), /Look again|turnstile/)
})

test('a used-up quota returns the task until it resets, without a failed try', async (t) => {
  const b = await bench(t)
  const taskId = await b.task('printf "stop=quota\\nerror=Limit reached\\nretryAfterSeconds=3600\\n" > "$GATEWAY_RESULT_FILE"')
  assert.equal((await b.once()).code, 0)
  const task = await b.get(taskId)
  assert.deepEqual([task.status, task.retryCount, task.pacingDeferCount], ['pending', undefined, 1])
  assert.equal(Date.parse(task.nextRetryAt) - b.gateway.clock.now(), 3_600_000)
})

test('a used-up quota is recorded for the account of the lane, which gets no slot until it resets', async (t) => {
  const b = await bench(t, { lanes: { primary: { agents: { '*': 'scripted' }, account: 'max-1' } } })
  b.gateway.clock.set(new Date())
  await b.task('printf "stop=quota\\nerror=Limit reached\\nretryAfterSeconds=3600\\n" > "$GATEWAY_RESULT_FILE"')
  assert.equal((await b.once()).code, 0)
  const { accounts } = await b.gateway.call('account_usage_status', { account: 'max-1' })
  assert.deepEqual([accounts[0].fit, accounts[0].fiveHour.usedPct], ['exhausted', 100])
  await b.task('echo two > b.txt')
  assert.match((await b.once()).stderr, /The account max-1 has used up its quota until /)
  const { retryAt } = await b.gateway.call('runner_lease_acquire', { holder: 'm1/x', slots: 9, account: 'max-1' })
  assert.equal(retryAt, accounts[0].fiveHour.resetsAt)
})

test('a run without changes goes to review as a no-op', async (t) => {
  const b = await bench(t)
  const taskId = await b.task('true')
  assert.equal((await b.once()).code, 0)
  const task = await b.get(taskId)
  assert.deepEqual([task.status, task.noopDispatch], ['review', true])
  assert.match(task.notes, /Nothing has changed\./)
})

test('children that an agent left running are gone when the run has ended', async (t) => {
  const b = await bench(t)
  await b.task(`(sleep 61 & echo $! > ${b.folder}/child) ; setsid sh -c 'echo $$ > ${b.folder}/session; sleep 62' & sleep 0.2; true`)
  assert.equal((await b.once()).code, 0)
  for (const name of ['child', 'session']) {
    const pid = readFileSync(join(b.folder, name), 'utf8').trim()
    assert.equal(isAlive(Number(pid)), false, name)
  }
})

test('much output is bounded: the log gets its limit, and a count of the rest', async (t) => {
  const b = await bench(t, { limits: { logLines: 10 } })
  const taskId = await b.task('yes | head -c 4000000; echo done')
  assert.equal((await b.once()).code, 0)
  const { logs } = await b.gateway.call('logs_list', { correlationId: taskId })
  assert.equal(logs.filter(({ service }: Record<string, unknown>) => service === 'agent').length, 10)
  assert.match(logs[0].message, /^\d+ more lines of output were not sent\.$/)
})

test('work that goes to a remote starts from its base and is pushed', async (t) => {
  const b = await bench(
    t,
    {},
    { deliver: 'pr', base: 'main', pullRequest: 'echo "opened $GATEWAY_BRANCH"; echo https://forge.test/pull/7' },
  )
  const remote = join(b.folder, 'remote.git')
  b.git('clone', '--quiet', '--bare', b.repo, remote)
  b.git('remote', 'add', 'origin', remote)
  const taskId = await b.task('echo x > code.ts')
  const { code, stderr, stdout } = await b.once()
  assert.equal(code, 0, stderr + stdout)
  assert.equal(b.git('--git-dir', remote, 'show', `task/${taskId}:code.ts`), 'x')
  const task = await b.get(taskId)
  assert.deepEqual([task.status, task.prUrl, task.noopDispatch], ['review', 'https://forge.test/pull/7', false])
})

/** A `gh` that knows one pull request, and refuses a second one while it is open as the real one does. */
const GH = `#!/bin/sh
cd "$(dirname "$0")"
case "$1 $2 $3 $4 $5 $6" in
"pr list --head task/"*" --state open") if test -e open; then cat open; fi;;
"pr create --head task/"*)
  if test -e open; then
    echo "a pull request for branch \\"$4\\" into branch \\"main\\" already exists:" >&2; cat open >&2; exit 1
  fi
  echo 1 >> created; echo "https://forge.test/pull/$(wc -l < created)" > open; cat open;;
*) echo "unknown command $*" >&2; exit 2;;
esac
`

for (const { name, own } of [
  { name: 'the default command', own: {} },
  {
    name: 'a command of its own, which does not look for an open one',
    own: { pullRequest: 'gh pr create --head "$GATEWAY_BRANCH" --draft' },
  },
]) {
  test(`the open pull request of a branch is updated when a task was sent back, and opened anew after it was closed, by ${name}`, async (t) => {
    const b = await bench(t, {}, { deliver: 'pr', base: 'main', ...own })
    const [remote, programs] = [join(b.folder, 'remote.git'), join(b.folder, 'programs')]
    b.git('clone', '--quiet', '--bare', b.repo, remote)
    b.git('remote', 'add', 'origin', remote)
    mkdirSync(programs)
    writeFileSync(join(programs, 'gh'), GH, { mode: 0o755 })
    const { PATH } = process.env
    b.env.PATH = `${programs}:${PATH}`
    process.env.PATH = b.env.PATH
    t.after(() => {
      process.env.PATH = PATH
    })
    const taskId = await b.task('echo again >> code.ts')
    const deliver = async (): Promise<[status: string, prUrl: string, lines: number]> => {
      await b.gateway.call('tasks_update', { taskId, status: 'pending' })
      const { stdout, stderr } = await b.once()
      assert.match(stdout, /: delivered$/m, stderr + stdout)
      const { status, prUrl } = await b.get(taskId)
      return [status, prUrl, b.git('--git-dir', remote, 'show', `task/${taskId}:code.ts`).split('\n').length]
    }
    assert.deepEqual(await deliver(), ['review', 'https://forge.test/pull/1', 1])
    assert.deepEqual(await deliver(), ['review', 'https://forge.test/pull/1', 2])
    rmSync(join(programs, 'open'))
    assert.deepEqual(await deliver(), ['review', 'https://forge.test/pull/2', 3])
  })
}

test('a pull request that cannot be opened leaves the pushed task in review with its reason, also while the task has one', async (t) => {
  const pullRequest = 'echo "https://forge.test/api"; echo "fatal: remote origin already exists." >&2; exit 1'
  const b = await bench(t, {}, { deliver: 'pr', base: 'main', pullRequest, finish: 'done' })
  const remote = join(b.folder, 'remote.git')
  b.git('clone', '--quiet', '--bare', b.repo, remote)
  b.git('remote', 'add', 'origin', remote)
  const taskId = await b.task('echo x > code.ts')
  await b.gateway.call('tasks_update', { taskId, prUrl: 'https://forge.test/pull/7' })
  const why = 'It was pushed, and has no pull request: opening the pull request failed: fatal: remote origin already exists.'
  const { code, stdout } = await b.once()
  assert.deepEqual([code, stdout.includes(`: delivered. ${why}\n`)], [0, true], stdout)
  const { status, notes, lastError, prUrl } = await b.get(taskId)
  assert.deepEqual([status, lastError, prUrl], ['review', undefined, 'https://forge.test/pull/7'])
  assert.ok(notes.includes(`1 file changed on the branch task/${taskId}.\n${why}\n`), notes)
  assert.equal(b.git('--git-dir', remote, 'show', `task/${taskId}:code.ts`), 'x')
  assert.doesNotMatch(b.git('for-each-ref', 'refs/heads'), /rescue/)
  assert.equal((await b.gateway.call('job_history_search', { taskId })).jobs[0].resultLine, why)
})

test('a task that was sent back and whose run changes nothing is a no-op, and says so', async (t) => {
  const b = await bench(t)
  const taskId = await b.task('test -e code.ts || echo x > code.ts')
  await b.once()
  await b.gateway.call('tasks_update', { taskId, status: 'pending', notes: 'Name it otherwise.' })
  await b.once()
  const { status, notes, noopDispatch } = await b.get(taskId)
  assert.deepEqual([status, noopDispatch], ['review', true])
  assert.match(notes, /^Name it otherwise\.\n\nNothing has changed since it was sent back; its work is on the branch task\/task-\S+\.\n/)
})

test('a host that names no page of the open pull request has delivered to that of the task', async (t) => {
  const pullRequest = 'echo "409 {message: [Another open merge request already exists for this source branch: !3]}" >&2; exit 1'
  const b = await bench(t, {}, { deliver: 'pr', base: 'main', pullRequest })
  const remote = join(b.folder, 'remote.git')
  b.git('clone', '--quiet', '--bare', b.repo, remote)
  b.git('remote', 'add', 'origin', remote)
  const taskId = await b.task('echo x > code.ts')
  await b.gateway.call('tasks_update', { taskId, prUrl: 'https://forge.test/merge/3' })
  assert.match((await b.once()).stdout, /: delivered$/m)
  assert.equal((await b.get(taskId)).prUrl, 'https://forge.test/merge/3')
})

test('an agent commits where nobody has told git who commits', async (t) => {
  const b = await bench(t)
  const taskId = await b.task('echo two > b.txt; git add .; git commit --quiet -m "Add two"')
  assert.equal((await b.once()).code, 0)
  assert.equal(b.git('log', '-1', '--format=%s, %an', `task/${taskId}`), 'Add two, Gateway runner')
  b.git('config', 'user.name', 'Ada')
  b.git('config', 'user.email', 'ada@gateway.invalid')
  const second = await b.task('echo two > b.txt; git add .; git commit --quiet -m "Add two"')
  assert.equal((await b.once()).code, 0)
  assert.equal(b.git('log', '-1', '--format=%an', `task/${second}`), 'Ada')
})

test('a remote that refuses the push fails the task with its reason', async (t) => {
  const b = await bench(t, {}, { deliver: 'push' })
  const remote = join(b.folder, 'remote.git')
  b.git('clone', '--quiet', '--bare', b.repo, remote)
  b.git('remote', 'add', 'origin', remote)
  writeFileSync(join(remote, 'hooks', 'pre-receive'), '#!/bin/sh\necho "branches must be signed" >&2\nexit 1\n', { mode: 0o755 })
  const taskId = await b.task('echo x > code.ts')
  assert.equal((await b.once()).code, 1)
  const { lastError } = await b.get(taskId)
  assert.match(
    lastError,
    /^\[deliver\] git push: [^]*remote: branches must be signed[^]*pre-receive hook declined[^]*The work is kept on the branch rescue\//,
  )
})

test('a task that was sent back is continued where the remote is, which another machine and a reviewer have pushed to', async (t) => {
  const b = await bench(t, {}, { deliver: 'push' })
  const remote = join(b.folder, 'remote.git')
  b.git('clone', '--quiet', '--bare', b.repo, remote)
  b.git('remote', 'add', 'origin', remote)
  const taskId = await b.task('echo $GATEWAY_TASK_ID >> code.ts')
  const branch = `task/${taskId}`
  const [other, author] = [join(b.folder, 'other'), ['-c', 'user.name=Ada', '-c', 'user.email=ada@gateway.invalid']]
  b.git('clone', '--quiet', remote, other)
  const commit = (text: string) => b.git('-C', other, ...author, 'commit', '--quiet', '--allow-empty', '-m', text)
  b.git('-C', other, 'checkout', '--quiet', '-b', branch)
  commit('Work of another machine')
  b.git('-C', other, 'push', '--quiet', 'origin', branch)
  assert.match((await b.once()).stdout, /delivered/)
  b.git('-C', other, 'pull', '--quiet', '--ff-only', 'origin', branch)
  commit('Word of the reviewer')
  b.git('-C', other, 'push', '--quiet', 'origin', branch)
  await b.gateway.call('tasks_update', { taskId, status: 'pending' })
  assert.match((await b.once()).stdout, /delivered/)
  assert.deepEqual(b.git('--git-dir', remote, 'log', '--format=%s', `main..${branch}`).split('\n'), [
    'A task',
    'Word of the reviewer',
    'A task',
    'Work of another machine',
  ])
})

test('figures and addresses that an agent cannot mean cost neither its delivery nor its record', async (t) => {
  const b = await bench(t)
  const result = 'model=m\\nusd=1e999\\ninputTokens=1.6\\noutputTokens=1e300\\nprUrl=nonsense\\nretryAfterSeconds=x\\n'
  const taskId = await b.task(`echo two > b.txt; printf '${result}' > "$GATEWAY_RESULT_FILE"; printf 'binary \\000\\001\\377\\n'`)
  assert.equal((await b.once()).code, 0)
  const { status, prUrl } = await b.get(taskId)
  assert.deepEqual([status, prUrl], ['review', undefined])
  const { jobs } = await b.gateway.call('job_history_search', { taskId })
  assert.deepEqual([jobs[0].usage.inputTokens, jobs[0].usage.outputTokens], [2, undefined])
})

test('a long summary that is cut inside of a character is delivered all the same', async (t) => {
  const b = await bench(t)
  const taskId = await b.task(`echo two > b.txt; printf 'summary=%07999d😀 the end\\n' 7 > "$GATEWAY_RESULT_FILE"`)
  assert.equal((await b.once()).code, 0)
  const { status, notes } = await b.get(taskId)
  assert.deepEqual([status, notes.includes('0007\uFFFD …')], ['review', true])
})

test('a lease is extended though the clock of the machine is set back', async (t) => {
  const done = new AbortController()
  let extensions = 0
  const back = Date.now() - 3_600_000
  const client = {
    ...({} as ServiceClient),
    call: async () => {
      if (extensions++ === 0) t.mock.method(Date, 'now', () => back)
      else done.abort()
      return {}
    },
    get: async () => ({ task: { status: 'working', claimId: 'claim-1' } }),
  }
  const late = setTimeout(() => done.abort(), 10_000)
  await holdClaim({ client, taskId: 'task-1', claimId: 'claim-1', leaseSeconds: 1, stopper: new Stopper() }, done.signal)
  clearTimeout(late)
  assert.equal(extensions, 2)
})

test('a run goes on while the gateway does not answer, and ends when it says that the claim is lost', async () => {
  let isDown = true
  const asked: string[] = []
  const answer = async (name: string) => {
    asked.push(name)
    if (asked.length === 4) isDown = false
    if (isDown) throw new Error('connect ECONNREFUSED')
    throw new CommandError(EXIT.refused, 'Stop working on the task.', { code: 'CONFLICT' })
  }
  const client = { ...({} as ServiceClient), call: answer, get: answer }
  const stopper = new Stopper()
  await holdClaim({ client, taskId: 'task-1', claimId: 'claim-1', leaseSeconds: 1, stopper }, new AbortController().signal)
  assert.deepEqual([asked.length, stopper.reason], [4, { why: 'claim', reason: 'Stop working on the task.' }])
})

test('a branch that the agent rebased is pushed, and one that somebody pushed to during the run is not pushed over', async (t) => {
  const b = await bench(t, {}, { deliver: 'push' })
  const remote = join(b.folder, 'remote.git')
  b.git('clone', '--quiet', '--bare', b.repo, remote)
  b.git('remote', 'add', 'origin', remote)
  const author = '-c user.name=A -c user.email=a@gateway.invalid'
  const pushes = `git ${author} push --quiet origin HEAD:refs/heads/$branch`
  const taskId = await b.task(
    [
      'branch=task/$GATEWAY_TASK_ID; test -e code.ts || { echo x > code.ts; exit 0; }',
      `git ${author} commit --quiet --amend -m "Rebased"`,
      `if test -e ${b.folder}/meanwhile; then git ${author} commit --quiet --allow-empty -m "Meanwhile"; ${pushes} --force; git reset --quiet --hard HEAD~1; echo y > code.ts; fi`,
    ].join('\n'),
  )
  const subject = () => b.git('--git-dir', remote, 'log', '-1', '--format=%s', `task/${taskId}`)
  const again = () => b.gateway.call('tasks_update', { taskId, status: 'pending' })
  assert.match((await b.once()).stdout, /delivered/)
  await again()
  assert.match((await b.once()).stdout, /delivered/)
  assert.equal(subject(), 'Rebased')
  await again()
  b.touch('meanwhile')
  assert.equal((await b.once()).code, 1)
  assert.match((await b.get(taskId)).lastError, /^\[deliver\] git push: [^]*stale info/)
  assert.equal(subject(), 'Meanwhile')
})
