import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { callTool, connect, type HostContext, on } from './host.ts'

/** The desk of a person in a chat: swarms that wait for an approval, work in review, and the head of the queue. */
interface Swarm {
  readonly swarmId: string
  readonly goal: string
  readonly repo: string
  readonly status: string
  readonly childCount: number
}
interface Task {
  readonly taskId: string
  readonly title: string
  readonly repo: string
  readonly status: string
  readonly priority: string
  readonly claimedBy?: string
  readonly prUrl?: string
  readonly notes?: string
}
interface Desk {
  readonly swarms: readonly Swarm[]
  readonly reviews: readonly Task[]
  readonly queue: readonly Task[]
}

const MAX_ROWS = 10
const SHOWN_NOTES = 400

async function load(): Promise<Desk> {
  const tasks = async (status: string) => (await callTool<{ tasks: Task[] }>('tasks_list', { status, limit: MAX_ROWS })).tasks
  const swarms = async (status: string) => (await callTool<{ swarms: Swarm[] }>('swarm_list', { status })).swarms
  const [planned, paused, reviews, working, pending] = await Promise.all([
    swarms('planning'),
    swarms('paused'),
    tasks('review'),
    tasks('working'),
    tasks('pending'),
  ])
  return { swarms: [...planned, ...paused].slice(0, MAX_ROWS), reviews, queue: [...working, ...pending].slice(0, MAX_ROWS) }
}

function App() {
  const [desk, setDesk] = useState<Desk>()
  const [said, setSaid] = useState('')
  const again = async (): Promise<void> => {
    try {
      setDesk(await load())
    } catch (error) {
      setSaid((error as Error).message)
    }
  }
  useEffect(() => {
    on('ui/notifications/tool-result', () => void again())
    void again()
  }, [])
  /** Does something, says what came of it, and shows what is left. */
  const act = (done: string, name: string, args: object) => async (): Promise<void> => {
    try {
      await callTool(name, args)
      setSaid(done)
    } catch (error) {
      setSaid((error as Error).message)
    }
    await again()
  }
  return (
    <main>
      <p role="status" class="said">
        {said}
      </p>
      {desk === undefined && said === '' && <p class="quiet">Loading …</p>}
      {desk && (
        <>
          <Part title="Swarms to approve" empty="No swarm waits for an approval." count={desk.swarms.length}>
            {desk.swarms.map(({ swarmId, goal, repo, status, childCount }) => (
              <li key={swarmId}>
                <div>
                  <strong>{goal}</strong>
                  <small>
                    {repo} · {childCount} tasks · {status}
                  </small>
                </div>
                <button
                  type="button"
                  class="primary"
                  aria-label={`Approve: ${goal}`}
                  onClick={() => void act(`Approved: ${goal}`, 'swarm_approve', { swarmId })()}
                >
                  Approve
                </button>
              </li>
            ))}
          </Part>
          <Part title="Work to review" empty="No work is in review." count={desk.reviews.length}>
            {desk.reviews.map((task) => (
              <Review key={task.taskId} task={task} act={act} />
            ))}
          </Part>
          <Part title="Queue" empty="The queue is empty." count={desk.queue.length}>
            {desk.queue.map(({ taskId, title, repo, status, priority, claimedBy }) => (
              <li key={taskId}>
                <div>
                  <strong>{title}</strong>
                  <small>
                    {priority} · {repo} · {status}
                    {claimedBy && ` by ${claimedBy}`}
                  </small>
                </div>
              </li>
            ))}
          </Part>
        </>
      )}
    </main>
  )
}

function Part({ title, empty, count, children }: { title: string; empty: string; count: number; children: unknown }) {
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      {count === 0 ? <p class="quiet">{empty}</p> : <ul>{children as never}</ul>}
    </section>
  )
}

type Act = (done: string, name: string, args: object) => () => Promise<void>

/** A task in review: accepted as it is, or sent back with a note. */
function Review({ task: { taskId, title, repo, prUrl, notes = '' }, act }: { task: Task; act: Act }) {
  const [note, setNote] = useState<string>()
  const sendBack = (): void => {
    const all = notes === '' ? note : `${notes}\n\n${note}`
    void act(`Sent back: ${title}`, 'tasks_update', { taskId, status: 'pending', notes: all })()
  }
  return (
    <li>
      <div>
        <strong>{title}</strong>
        <small>
          {repo}
          {prUrl && ` · ${prUrl}`}
        </small>
        {notes !== '' && <p class="notes">{notes.slice(-SHOWN_NOTES)}</p>}
        {note !== undefined && (
          // Hosts forbid forms in the frames of apps.
          <div>
            <label>
              What is missing?
              <textarea value={note} onInput={(event) => setNote(event.currentTarget.value)} />
            </label>
            <button type="button" disabled={note.trim() === ''} onClick={sendBack}>
              Send back
            </button>
          </div>
        )}
      </div>
      <button
        type="button"
        class="primary"
        aria-label={`Accept: ${title}`}
        onClick={() => void act(`Accepted: ${title}`, 'tasks_update', { taskId, status: 'done' })()}
      >
        Accept
      </button>
      {note === undefined && (
        <button type="button" aria-label={`Send back: ${title}`} onClick={() => setNote('')}>
          Send back …
        </button>
      )}
    </li>
  )
}

function dress({ theme }: HostContext): void {
  if (theme) document.documentElement.style.colorScheme = theme
}

on('ui/notifications/host-context-changed', (params) => dress(params as HostContext))
void connect().then((context) => {
  dress(context)
  render(<App />, document.getElementById('root') as HTMLElement)
})
