import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { settled } from '../support.ts'
import type { Hand, seen } from './hands.ts'

export interface Scene {
  readonly page: Page
  readonly hand: Hand
  readonly at: ReturnType<typeof seen>
  /** Distinguishes what the two hands make. */
  readonly mark: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  readonly call: (tool: string, args: object) => Promise<any>
  /** Opens an address, as a person does with a bookmark. */
  readonly visit: (path: string) => Promise<void>
}

export interface Job {
  /** The row of docs/dashboard.md. */
  readonly name: string
  readonly walk: (scene: Scene) => Promise<void>
}

const task = async ({ call, mark }: Scene, title: string, more: object = {}) =>
  (await call('tasks_create', { repo: `org/${mark}`, title: `${title} (${mark})`, ...more })).task

async function inReview(scene: Scene, title: string) {
  const made = await task(scene, title)
  const { task: claimed } = await scene.call('tasks_claim', { taskId: made.taskId, claimedBy: 'ada' })
  await scene.call('tasks_update', { taskId: made.taskId, claimId: claimed.claimId, status: 'review' })
  return made
}
async function dead(scene: Scene, title: string) {
  const made = await task(scene, title)
  await scene.call('tasks_update', { taskId: made.taskId, status: 'dead_letter' })
  return made
}
const statusOf = async ({ call }: Scene, taskId: string, repo: string): Promise<string> =>
  (await call('tasks_list', { repo })).tasks.find((one: { taskId: string }) => one.taskId === taskId)?.status
const expectStatus = async (scene: Scene, { taskId, repo }: { taskId: string; repo: string }, status: string): Promise<void> =>
  assert.equal(await statusOf(scene, taskId, repo), status)
const swarm = async ({ call, mark }: Scene, goal: string) =>
  (await call('swarm_plan', { goal: `${goal} (${mark})`, repo: `org/${mark}`, children: [{ title: `Part of ${goal}` }] })).swarm
const mail = ({ call, mark }: Scene, subject: string, to = `desk-${mark}`) =>
  call('mail_send', { from: 'ada', to, subject: `${subject} (${mark})`, body: 'It creaks.' })
const schedule = async ({ call, mark }: Scene, name: string) =>
  (await call('schedules_create', { name: `${name} (${mark})`, cronExpr: '0 9 * * *', kind: 'agent', target: 'planner', message: 'Plan.' }))
    .schedule

export const jobs: readonly Job[] = [
  {
    name: 'See what waits for you, and open it',
    async walk(scene) {
      const { taskId } = await dead(scene, 'Waits')
      await scene.visit('/')
      await scene.hand.press(scene.at.panel(/^Waits for you/).one('link', `Task “Waits (${scene.mark})” has failed for good`))
      await scene.page.waitForURL(new RegExp(taskId))
    },
  },
  {
    name: 'Accept work in review',
    async walk(scene) {
      const made = await inReview(scene, 'Accept me')
      await scene.visit(`/dashboard/tasks/${made.taskId}`)
      await scene.hand.press(scene.at.one('button', 'Accept'))
      await scene.at.text('Accepted').waitFor()
      await expectStatus(scene, made, 'done')
    },
  },
  {
    name: 'Send work back with a note',
    async walk(scene) {
      const made = await inReview(scene, 'Not yet')
      await scene.visit(`/dashboard/tasks/${made.taskId}`)
      await scene.hand.press(scene.at.one('button', 'Send back'))
      await scene.hand.fill(scene.at.dialog.field(/What is missing/), 'A test.')
      await scene.hand.press(scene.at.dialog.one('button', 'Send back'))
      await scene.at.text('Sent back').waitFor()
      await expectStatus(scene, made, 'pending')
    },
  },
  {
    name: 'Let a task that failed for good run again',
    async walk(scene) {
      const made = await dead(scene, 'Again')
      await scene.visit(`/dashboard/tasks?repo=${encodeURIComponent(made.repo)}&status=dead_letter`)
      await scene.hand.press(scene.at.one('button', `Let it run: Again (${scene.mark})`))
      await scene.at.text('Let it run: done').waitFor()
      await expectStatus(scene, made, 'pending')
    },
  },
  {
    name: 'Let several run at once, and take it back',
    async walk(scene) {
      const made = [await dead(scene, 'First'), await dead(scene, 'Second')]
      await scene.visit('/')
      const waits = scene.at.panel(/^Waits for you/)
      for (const title of ['First', 'Second'])
        await scene.hand.press(waits.one('checkbox', `Select Task “${title} (${scene.mark})” has failed for good`))
      await scene.hand.press(scene.page.getByRole('group', { name: 'Selected' }).getByRole('button', { name: 'Let it run' }))
      await scene.hand.press(scene.at.dialog.one('button', 'Let it run'))
      await scene.page.getByRole('dialog', { name: /2 done, 0 refused/ }).waitFor()
      await scene.hand.press(scene.at.dialog.one('button', /^Undo all/))
      await scene.at.text(/undone/).waitFor()
      for (const one of made) await expectStatus(scene, one, 'dead_letter')
    },
  },
  {
    name: 'Create a task',
    async walk(scene) {
      const { hand, at, mark } = scene
      await hand.open('Tasks')
      await hand.press(at.one('button', 'New task'))
      await hand.fill(at.dialog.field(/^Repo/), `org/${mark}`)
      await hand.fill(at.dialog.field(/^Title/), `Made by ${mark}`)
      await hand.press(at.dialog.one('button', 'New task'))
      await scene.page.waitForURL(/\/dashboard\/tasks\/task-/)
      await scene.page.getByRole('heading', { level: 1, name: new RegExp(`Made by ${mark}`) }).waitFor()
    },
  },
  {
    name: 'Find a task by a mistyped word',
    async walk(scene) {
      const { taskId } = await task(scene, 'Onboarding')
      await scene.visit('/dashboard/repos')
      if (scene.hand.kind === 'mouse') await scene.hand.press(scene.at.one('button', /^Search pages/))
      else await scene.page.keyboard.press('Control+k')
      await scene.page.getByRole('combobox', { name: 'Page or action' }).waitFor()
      await scene.page.keyboard.type(`onbaording ${scene.mark}`)
      const hit = scene.page.getByRole('option', { name: new RegExp(`Onboarding \\(${scene.mark}`) })
      await hit.waitFor()
      if (scene.hand.kind === 'mouse') await hit.click()
      else {
        for (let step = 0; step < 20 && (await hit.getAttribute('aria-selected')) !== 'true'; step++)
          await scene.page.keyboard.press('ArrowDown')
        await scene.page.keyboard.press('Enter')
      }
      await scene.page.waitForURL(new RegExp(taskId))
    },
  },
  {
    name: 'Filter tasks by their status',
    async walk(scene) {
      const made = await inReview(scene, 'Filtered')
      await scene.visit(`/dashboard/tasks?repo=${encodeURIComponent(made.repo)}`)
      await scene.hand.choose(scene.at.panel('Queue').field('Status'), 'Review')
      await scene.page.waitForURL(/status=review/)
      await scene.at.panel('Queue').text(`Filtered (${scene.mark})`).waitFor()
    },
  },
  {
    name: 'Filter tasks by words',
    async walk(scene) {
      await task(scene, 'Chrysanthemum')
      await scene.hand.open('Tasks')
      await scene.hand.fill(scene.at.panel('Queue').field('Words'), `Chrysanthemum ${scene.mark}`)
      await scene.page.waitForURL(/q=Chrysanthemum/)
      await scene.at.panel('Queue').text(`Chrysanthemum (${scene.mark})`).waitFor()
    },
  },
  {
    name: 'Sort a list by a column',
    async walk(scene) {
      await scene.hand.open('Tasks')
      await scene.hand.press(scene.at.panel('Queue').one('button', /^Title/))
      await scene.page.waitForURL(/queue.order=Title/)
      await scene.page.locator('th[aria-sort=ascending]').waitFor()
    },
  },
  {
    name: 'Save the filters of a list as a view, and delete the view',
    async walk(scene) {
      const { hand, at, page, mark } = scene
      await scene.visit('/dashboard/tasks?status=review')
      await hand.press(at.menu('Views'))
      await hand.press(at.one('button', 'Save this view …'))
      await hand.fill(at.dialog.field('Name'), `Mine ${mark}`)
      await hand.press(at.dialog.one('button', 'Save'))
      await at.text(`View Mine ${mark}: saved`).waitFor()
      await hand.press(at.menu('Views'))
      await hand.press(at.one('button', `Delete the view Mine ${mark}`))
      await page.getByText(`View Mine ${mark}: deleted`).waitFor()
    },
  },
  {
    name: 'Change a task',
    async walk(scene) {
      const made = await task(scene, 'Raise me')
      await scene.visit(`/dashboard/tasks/${made.taskId}`)
      await scene.hand.press(scene.at.one('button', 'Change'))
      await scene.hand.choose(scene.at.dialog.field('Priority'), 'P0')
      await scene.hand.press(scene.at.dialog.one('button', 'Change'))
      await scene.at.text('Change: done').waitFor()
      assert.equal((await scene.call('tasks_list', { repo: made.repo, priority: 'P0' })).tasks[0].taskId, made.taskId)
    },
  },
  {
    name: 'Delete a task, and take it back',
    async walk(scene) {
      const made = await task(scene, 'Too soon')
      await scene.visit(`/dashboard/tasks/${made.taskId}`)
      await scene.hand.press(scene.at.one('button', 'Delete'))
      await scene.hand.press(scene.at.dialog.one('button', 'Delete'))
      await scene.at.text('Delete: done').waitFor()
      await scene.hand.press(scene.at.one('button', 'Undo'))
      await scene.at.text('Delete: undone').waitFor()
      await expectStatus(scene, made, 'pending')
    },
  },
  {
    name: 'Move a card of the board',
    async walk(scene) {
      const made = await task(scene, 'Card')
      await scene.visit(`/dashboard/tasks?repo=${encodeURIComponent(made.repo)}`)
      await scene.hand.choose(scene.at.field(`Move Card (${scene.mark}) to`), 'Paused')
      await scene.hand.press(scene.at.one('button', 'Move'))
      await scene.at.text('Move: done').waitFor()
      await expectStatus(scene, made, 'paused')
    },
  },
  {
    name: 'Read what happened to a task, and what its steps cost',
    async walk(scene) {
      const made = await inReview(scene, 'Story')
      const span = {
        taskId: made.taskId,
        name: 'Write the code',
        startMs: 1_000,
        endMs: 5_000,
        status: 'ok',
        attributes: { costUsd: 0.25 },
      }
      await scene.call('traces_record', span)
      await scene.hand.open('Tasks')
      await scene.hand.fill(scene.at.field(/^Repo/), made.repo)
      await scene.page.waitForURL(/repo=/)
      await settled(scene.page)
      await scene.hand.press(scene.at.panel('Queue').one('link', `Story (${scene.mark})`))
      await scene.at.panel('History').text('claimed').waitFor()
      await scene.at.panel('Steps').text('$0.25').waitFor()
    },
  },
  {
    name: 'Plan a swarm',
    async walk(scene) {
      const { hand, at, mark } = scene
      await hand.open('Swarms')
      await hand.press(at.one('button', 'Plan a swarm'))
      await hand.fill(at.dialog.field(/^Repo/), `org/${mark}`)
      await hand.fill(at.dialog.field(/^Children/), '[{"title":"Tag it"},{"title":"Tell of it"}]')
      await hand.fill(at.dialog.field(/^Goal/), `Ship ${mark}`)
      await hand.press(at.dialog.one('button', 'Plan a swarm'))
      await scene.page.waitForURL(/\/dashboard\/swarms\/swarm-/)
      await at.panel('Order of its children').text('Tell of it').waitFor()
    },
  },
  {
    name: 'Approve a swarm',
    async walk(scene) {
      const { swarmId } = await swarm(scene, 'Approve me')
      await scene.visit(`/dashboard/swarms/${swarmId}`)
      await scene.hand.press(scene.at.one('button', 'Approve'))
      await scene.hand.press(scene.at.dialog.one('button', 'Approve'))
      await scene.at.text('Approve: done').waitFor()
      assert.equal((await scene.call('swarm_get', { swarmId })).swarm.status, 'active')
    },
  },
  {
    name: 'Stop a swarm, and say why',
    async walk(scene) {
      const { swarmId } = await swarm(scene, 'Stop me')
      await scene.visit(`/dashboard/swarms/${swarmId}`)
      await scene.hand.press(scene.at.one('button', 'Stop'))
      await scene.hand.fill(scene.at.dialog.field(/Why is it stopped/), 'Not now.')
      await scene.hand.press(scene.at.dialog.one('button', 'Stop'))
      await scene.at.text('Stop: done').waitFor()
      assert.equal((await scene.call('swarm_get', { swarmId })).swarm.stopReason, 'Not now.')
    },
  },
  {
    name: 'Write a message',
    async walk(scene) {
      const { hand, at, mark } = scene
      await hand.open('Mailbox')
      await hand.press(at.one('button', 'Write'))
      await hand.fill(at.dialog.field(/^To/), `bob-${mark}`)
      await hand.fill(at.dialog.field(/^Subject/), 'The gate')
      await hand.fill(at.dialog.field(/^Body/), 'It closes.')
      await hand.press(at.dialog.one('button', 'Write'))
      await at.text('Write: done').waitFor()
      assert.equal((await scene.call('mail_inbox', { to: `bob-${mark}` })).messages[0].subject, 'The gate')
    },
  },
  {
    name: 'Answer a message',
    async walk(scene) {
      await mail(scene, 'A question')
      await scene.visit(`/dashboard/mailbox?to=desk-${scene.mark}`)
      await scene.hand.press(scene.at.one('button', /^Reply: A question/))
      await scene.hand.fill(scene.at.dialog.field(/^Subject/), 'Yes')
      await scene.hand.fill(scene.at.dialog.field(/^Body/), 'It does.')
      await scene.hand.press(scene.at.dialog.one('button', 'Reply'))
      await scene.at.text('Reply: done').waitFor()
    },
  },
  {
    name: 'Acknowledge a message',
    async walk(scene) {
      const to = `one-${scene.mark}`
      await mail(scene, 'Read me', to)
      await scene.visit(`/dashboard/mailbox?to=${to}`)
      await scene.hand.press(scene.at.one('button', /^Acknowledge: Read me/))
      await scene.at.text('Acknowledge: done').waitFor()
      assert.deepEqual((await scene.call('mail_inbox', { to })).messages, [])
    },
  },
  {
    name: 'Acknowledge all messages',
    async walk(scene) {
      const to = `all-${scene.mark}`
      for (const subject of ['One', 'Two', 'Three']) await mail(scene, subject, to)
      await scene.visit(`/dashboard/mailbox?to=${to}`)
      await scene.hand.press(scene.at.one('button', 'Acknowledge these (3)'))
      await scene.hand.press(scene.at.dialog.one('button', 'Acknowledge'))
      await scene.page.getByRole('dialog', { name: /3 done/ }).waitFor()
      assert.deepEqual((await scene.call('mail_inbox', { to })).messages, [])
    },
  },
  {
    name: 'Create a schedule, and see when it will run',
    async walk(scene) {
      const { hand, at, mark } = scene
      await hand.open('Schedules')
      await hand.press(at.one('button', 'New schedule'))
      await hand.fill(at.dialog.field(/^Name/), `Nightly ${mark}`)
      await hand.fill(at.dialog.field(/^Cron expr/), '0 3 * * *')
      await at.dialog.text(/^Runs .*;/).waitFor()
      await hand.choose(at.dialog.field(/^Kind/), 'agent')
      await hand.fill(at.dialog.field(/^Target/), 'planner')
      await hand.fill(at.dialog.field(/^Message/), 'Plan the day.')
      await hand.press(at.dialog.one('button', 'New schedule'))
      await at.text('New schedule: done').waitFor()
    },
  },
  {
    name: 'Switch a schedule off',
    async walk(scene) {
      const { scheduleId } = await schedule(scene, 'Off')
      await scene.hand.open('Schedules')
      const row = scene.page.getByRole('row').filter({ hasText: `Off (${scene.mark})` })
      await scene.hand.press(row.locator('summary'))
      await scene.hand.press(row.getByRole('button', { name: 'Switch off' }))
      await scene.at.text('Switch off: done').waitFor()
      const { schedules } = await scene.call('schedules_list', { enabled: false })
      assert.ok(schedules.some((one: { scheduleId: string }) => one.scheduleId === scheduleId))
    },
  },
  {
    name: 'Free the slot of a session that is gone',
    async walk(scene) {
      const holder = `forge/${scene.mark}/1`
      await scene.call('runner_lease_acquire', { holder, machine: 'forge' })
      await scene.hand.open('Runners')
      const row = scene.page.getByRole('region', { name: 'Slots' }).getByRole('row').filter({ hasText: holder })
      await scene.hand.press(row.getByRole('button', { name: /^Release/ }))
      await scene.hand.press(scene.at.dialog.one('button', 'Release'))
      await scene.at.text('Release: done').waitFor()
      const free = scene.page
        .getByRole('region', { name: 'Slots' })
        .getByRole('row')
        .filter({ has: scene.page.getByRole('button', { name: /^Release/ }) })
      assert.equal(await free.filter({ hasNotText: 'forge/' }).count(), 0, 'a free slot offers no release')
    },
  },
  {
    name: 'See who holds a machine, and what it ran',
    async walk(scene) {
      await scene.call('runner_heartbeat', { machine: `anvil-${scene.mark}` })
      await scene.hand.open('Runners')
      await scene.at.panel('Machines').text(`anvil-${scene.mark}`).waitFor()
      await scene.hand.open('Job history')
    },
  },
  {
    name: 'Look up what an agent did',
    async walk(scene) {
      await inReview(scene, 'Of ada')
      await scene.visit('/dashboard/agents/ada')
      await scene.hand.press(scene.at.panel('Timeline').one('link', `Of ada (${scene.mark})`))
      await scene.page.getByRole('heading', { level: 1, name: new RegExp(`Of ada \\(${scene.mark}`) }).waitFor()
    },
  },
  {
    name: 'Store a piece of knowledge, and find it',
    async walk(scene) {
      const { hand, at, mark } = scene
      await hand.open('Memory')
      await hand.press(at.one('button', 'Remember'))
      await hand.fill(at.dialog.field(/^Content/), `The ${mark} test is flaky on Mondays.`)
      await hand.press(at.dialog.one('button', 'Remember'))
      await at.text('Remember: done').waitFor()
      await hand.fill(at.panel('Search').field('Question'), `${mark} flaky`)
      await scene.page.waitForURL(/query=/)
      await at.panel('Search').text(`The ${mark} test is flaky`).waitFor()
    },
  },
  {
    name: 'Make an API key, which is shown once',
    async walk(scene) {
      await scene.hand.open('API keys')
      await scene.hand.press(scene.at.one('button', 'New key'))
      await scene.hand.fill(scene.at.dialog.field(/^Label/), `crawler-${scene.mark}`)
      await scene.hand.press(scene.at.dialog.one('button', 'New key'))
      await scene.at.dialog.text(/gw_live_/).waitFor()
      await scene.hand.press(scene.at.dialog.one('button', 'Close'))
      await scene.at.text(`crawler-${scene.mark}`).waitFor()
    },
  },
  {
    name: 'Check who changed what',
    async walk(scene) {
      await scene.call('tasks_create', { repo: `org/${scene.mark}`, title: 'Audited' })
      await scene.hand.open('Audit')
      await scene.hand.fill(scene.at.panel('Records').field('Tool or route'), 'tasks_create')
      await scene.page.waitForURL(/tasks_create/)
      await settled(scene.page)
      await scene.at.panel('Records').text('tasks_create').waitFor()
    },
  },
]
