import { computed, signal } from '@preact/signals'
import { locked, type Refusal, send } from './api.ts'
import type { AttentionView, DashboardView } from './contract.ts'

/** The pages of this caller; `undefined` until they are there. */
export const dashboard = signal<DashboardView | undefined>(undefined)
export const failure = signal<Refusal | undefined>(undefined)
export const attention = signal<AttentionView | undefined>(undefined)
export const pages = computed(() => dashboard.value?.pages ?? [])

/** Ask who this is and what there is to see. */
export async function enter(): Promise<void> {
  const answer = await send({ method: 'GET', url: '/api/dashboard/pages' })
  if (answer.ok) {
    locked.value = false
    failure.value = undefined
    if (JSON.stringify(answer.data) !== JSON.stringify(dashboard.peek())) dashboard.value = answer.data as DashboardView
    await attend()
  } else failure.value = answer.refusal
}

/** Ask what waits for a person. */
export async function attend(): Promise<void> {
  const url = dashboard.peek()?.attention.url
  if (!url) return
  const answer = await send({ method: 'GET', url })
  if (answer.ok) attention.value = answer.data as AttentionView
}
