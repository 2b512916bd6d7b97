import { signal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import { send } from './api.ts'
import { exactly, timeOf } from './figures.ts'

/** Names that the gateway knows, by the field that takes them; loaded with the first field that a person may fill in. */
const names = signal<Readonly<Record<string, readonly string[]>>>({})
let asked = 0
/** New names are asked for after this time. */
const FRESH_MS = 60_000

export function askNames(): void {
  if (Date.now() - asked < FRESH_MS) return
  asked = Date.now()
  void send({ method: 'GET', url: '/api/dashboard/names' }).then((answer) => {
    if (answer.ok) names.value = (answer.data as { fields: Record<string, readonly string[]> }).fields
  })
}

/** The names that a field is offered, as the options of its input; nothing for a field that takes others. */
export function Names({ id, field }: { id: string; field: string }) {
  useEffect(askNames, [])
  return (
    <datalist id={id}>
      {(names.value[field] ?? []).map((name) => (
        <option key={name} value={name} />
      ))}
    </datalist>
  )
}

const TYPING_MS = 300

/** The next times at which a cron expression fires, or what is wrong with it. */
export function CronPreview({ expression }: { expression: string }) {
  const [text, setText] = useState('')
  const wanted = expression.trim()
  useEffect(() => {
    if (wanted === '') return setText('')
    const stop = new AbortController()
    const timer = setTimeout(() => void ask(), TYPING_MS)
    const ask = async (): Promise<void> => {
      try {
        const answer = await send({ method: 'GET', url: `/api/dashboard/cron?expression=${encodeURIComponent(wanted)}` }, stop.signal)
        if (stop.signal.aborted) return
        if (!answer.ok) return setText(answer.refusal.message)
        const times = (answer.data as { nextRuns: readonly string[] }).nextRuns.flatMap((time) => timeOf(time) ?? [])
        setText(`Runs ${times.map(exactly).join('; ')}`)
      } catch {
        // Another expression was typed.
      }
    }
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [wanted])
  return <small role="status">{text}</small>
}
