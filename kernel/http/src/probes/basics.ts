import type { Gateway } from '@gateway/kernel'
import { count } from '../openapi/page.ts'

export async function basics({ clock, startedAt, store }: Gateway): Promise<{ uptime: number; database: string }> {
  const { connected } = await store.health()
  return { uptime: Math.max(0, Math.floor((clock.now() - startedAt) / 1000)), database: connected ? 'connected' : 'disconnected' }
}

export const basicFacts = {
  uptime: { ...count, description: 'Whole seconds since the start.' },
  database: { enum: ['connected', 'disconnected'] },
}
