import { signal } from '@preact/signals'
import { type Answer, send } from '../api.ts'
import type { ViewView } from '../contract.ts'
import { say } from '../toasts.ts'

/** The saved views of this caller; `undefined` until they are loaded. */
export const views = signal<readonly ViewView[] | undefined>(undefined)

const URL = '/api/dashboard/views'
let asked = false

/** Loads the views with the first page that may have some. */
export function askViews(): void {
  if (asked) return
  asked = true
  void load()
}

async function load(): Promise<void> {
  const answer = await send({ method: 'GET', url: URL })
  if (answer.ok) views.value = (answer.data as { views: readonly ViewView[] }).views
}

/** Saves a view, or replaces that of the same name. */
export async function saveView(view: Pick<ViewView, 'name' | 'page' | 'query'>): Promise<Answer> {
  const { name, page, query } = view
  const answer = await send({ method: 'POST', url: URL, body: JSON.stringify({ name, page, query }) })
  if (answer.ok) await load()
  return answer
}

export async function deleteView({ viewId, name }: ViewView): Promise<void> {
  const answer = await send({ method: 'DELETE', url: `${URL}/${encodeURIComponent(viewId)}` })
  if (!answer.ok) return say({ tone: 'bad', title: `The view ${name} was not deleted`, text: answer.refusal.message })
  await load()
  const { view } = answer.data as { view: ViewView }
  say({ tone: 'good', title: `View ${name}: deleted`, act: { label: 'Undo', run: () => void saveView(view) } })
}
