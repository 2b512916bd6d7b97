import { signal } from '@preact/signals'
import { type Answer, type Refusal, send } from '../api.ts'
import type { ViewView } from '../contract.ts'
import { say } from '../toasts.ts'

/** The saved views of this caller; `undefined` until they are loaded. */
export const views = signal<readonly ViewView[] | undefined>(undefined)
/** The refusal of the last reading, if the views could not be read. */
export const unread = signal<Refusal | undefined>(undefined)

const URL = '/api/dashboard/views'
let asked = false

/** Loads the views with the first page that may have some; after a failure the next one tries again. */
export function askViews(): void {
  if (!asked) void loadViews()
}

export async function loadViews(): Promise<void> {
  asked = true
  const answer = await send({ method: 'GET', url: URL })
  asked = answer.ok
  unread.value = answer.ok ? undefined : answer.refusal
  if (answer.ok) views.value = (answer.data as { views: readonly ViewView[] }).views
}

/** Saves a view, or replaces that of the same name. */
export async function saveView(view: Pick<ViewView, 'name' | 'page' | 'query'>): Promise<Answer> {
  const { name, page, query } = view
  const answer = await send({ method: 'POST', url: URL, body: JSON.stringify({ name, page, query }) })
  if (answer.ok) await loadViews()
  return answer
}

export async function deleteView({ viewId, name }: ViewView): Promise<void> {
  const answer = await send({ method: 'DELETE', url: `${URL}/${encodeURIComponent(viewId)}` })
  if (!answer.ok) return say({ tone: 'bad', title: `The view ${name} was not deleted`, text: answer.refusal.message })
  await loadViews()
  const { view } = answer.data as { view: ViewView }
  say({ tone: 'good', title: `View ${name}: deleted`, act: { label: 'Undo', run: () => void saveView(view) } })
}
