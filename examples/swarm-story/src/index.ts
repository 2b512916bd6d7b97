import assert from 'node:assert/strict'
import { type Answer, type Call, calling } from './call.ts'
import { begin, end, replaceSilent, type Shift } from './watch.ts'

/** Passes the story to `say`, a line at a time; throws if the gateway breaks a promise. `pass` lets the given time elapse. */
export async function tellStory(url: string, pass: (seconds: number) => Promise<void>, say: (line: string) => void): Promise<void> {
  const call = calling(url)
  // A unique name, so that the story can run twice on one gateway.
  const repo = `story-${Date.now()}`
  const swarmId = await plan(call, repo, say)
  await approve(call, repo, swarmId, say)
  const shift = await begin(call, repo, say)
  const task = await replaceSilent(call, shift, pass, say)
  await work(call, shift, task, swarmId, say)
  await finish(call, repo, shift.spare.name, swarmId, say)
  await end(call, shift, say)
  await answerMail(call, repo, say)
}

async function plan(call: Call, repo: string, say: (line: string) => void): Promise<string> {
  const children = [{ title: 'Write the page' }, { title: 'Draw the logo' }, { title: 'Publish both', dependsOnIndexes: [0, 1] }]
  const { swarm } = await call('swarm_plan', { repo, goal: 'A page with a logo', createdBy: `${repo}/director`, children })
  say(`director    plans ${children.length} tasks: the swarm is ${swarm.status}`)
  assert.equal(swarm.status, 'paused')
  const early = await call('tasks_claim', { claimedBy: 'eager', repo })
  say('eager       finds nothing to claim before somebody has approved it')
  assert.equal(early.claimed, false)
  return swarm.swarmId
}

async function approve(call: Call, repo: string, swarmId: string, say: (line: string) => void): Promise<void> {
  await call('swarm_update_budget', { swarmId, tokenBudget: 1_000 })
  const { swarm, approved } = await call('swarm_approve', { swarmId, approvedBy: 'operator' })
  say(`operator    grants 1000 output tokens and approves: ${approved} tasks are let go, the swarm is ${swarm.status}`)
  assert.deepEqual([approved, swarm.status], [3, 'active'])
  const { task } = await call('tasks_next', { repo })
  assert.equal(task.title, 'Write the page')
}

async function work(call: Call, { steady, spare }: Shift, held: Answer, swarmId: string, say: (line: string) => void): Promise<void> {
  const done = (await call('tasks_update', { taskId: held.taskId, claimId: held.claimId, status: 'done', outputTokens: 600 })).task
  say(`${spare.name}         is done with “${done.title}”, for 600 tokens`)

  const { taskId, claimId, repo } = steady.task
  const failed = (await call('tasks_fail', { taskId, claimId, error: 'the disk is full' })).task
  say(`${steady.name}         fails: “${failed.lastError}”; it is to be tried again at ${failed.nextRetryAt}`)
  assert.deepEqual([failed.status, failed.retryCount], ['pending', 1])
  assert.equal((await call('tasks_claim', { claimedBy: spare.name, repo, taskId })).claimed, false)
  await call('tasks_update', { taskId, status: 'pending', deferSeconds: 0 })
  const { task: again } = await call('tasks_claim', { claimedBy: spare.name, repo })
  say(`${spare.name}         is let to it at once by the operator, and claims “${again.title}”`)
  assert.equal(again.taskId, taskId)
  await assert.rejects(call('tasks_update', { taskId, claimId, status: 'done' }))
  say(`${steady.name}         comes back too late with the old claim, and is refused`)

  const { task: tripped } = await call('tasks_update', { taskId, claimId: again.claimId, outputTokens: 400 })
  const { swarm } = await call('swarm_get', { swarmId })
  say(
    `${spare.name}         reports 400 tokens: ${swarm.tokensSpent} of ${swarm.tokenBudget} are spent, the swarm is ${swarm.status}, its open tasks too`,
  )
  assert.deepEqual([done.status, tripped.status, swarm.status, swarm.pausedBy], ['done', 'paused', 'paused', 'budget'])
}

async function finish(call: Call, repo: string, worker: string, swarmId: string, say: (line: string) => void): Promise<void> {
  const { messages } = await call('mail_inbox', { to: 'operator' })
  const letter = messages.find((message: Answer) => message.swarmId === swarmId)
  say(`operator    reads: “${letter.subject}”`)
  await call('mail_ack', { id: letter.messageId, ackedBy: 'operator' })
  await assert.rejects(call('swarm_approve', { swarmId }), /swarm_update_budget/)
  await call('swarm_update_budget', { swarmId, tokenBudget: 5_000 })
  const { approved } = await call('swarm_approve', { swarmId, approvedBy: 'operator' })
  say(`operator    raises the budget to 5000 and approves again: ${approved} tasks go on`)
  for (;;) {
    const { claimed, task } = await call('tasks_claim', { claimedBy: worker, repo })
    if (!claimed) break
    await call('tasks_update', { taskId: task.taskId, claimId: task.claimId, status: 'done', outputTokens: 100 })
    say(`${worker}         is done with “${task.title}”`)
  }
  const { swarm } = await call('swarm_get', { swarmId })
  say(`director    looks: the swarm is ${swarm.status}, for ${swarm.tokensSpent} tokens`)
  assert.deepEqual([swarm.status, swarm.tokensSpent], ['done', 1_200])
}

async function answerMail(call: Call, repo: string, say: (line: string) => void): Promise<void> {
  const work = 'Is the page up?'
  const { mode, messageId } = await call('dispatch_delegate', { from: `${repo}/director`, to: `${repo}/web`, work })
  say(`director    asks by ${mode}: “${work}”`)
  const polls = await Promise.all(
    ['ann', 'bob', 'cyd'].map((claimedBy) => call('mail_claim_as_task', { address: `${repo}/web`, claimedBy })),
  )
  const claimed: Answer[] = polls.flatMap((poll) => poll.claimed)
  assert.deepEqual(
    claimed.map((one) => one.messageId),
    [messageId],
  )
  say('ann, bob, cyd  look at the mail together: one of them has it as a task')
  const [{ taskId, claimId }] = claimed
  await call('tasks_update', { taskId, claimId, status: 'done' })
  assert.equal((await call('mail_task_result', { taskId, outcome: 'done', summary: 'It is.' })).sent, true)
  const { messages } = await call('mail_inbox', { to: `${repo}/director` })
  assert.deepEqual([messages[0].kind, messages[0].replyTo], ['result', messageId])
  say(`director    reads the answer: “${messages[0].subject}”`)
}
