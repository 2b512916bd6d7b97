import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { connection } from '../live.ts'
import { say } from '../toasts.ts'

interface OnDemandProps<P extends object> {
  readonly load: () => Promise<ComponentType<P>>
  readonly loading?: string
  readonly props: P
  /** Ends what a click began, such as a dialog, if its code cannot be loaded: the next click tries again. */
  readonly end?: () => void
}

const FAILED = 'A part of the dashboard could not be loaded.'

/** A renderer whose code is fetched when the first panel of its kind is shown, and again when the gateway is back after a failure. */
export function OnDemand<P extends object>({ load, loading, props, end }: OnDemandProps<P>) {
  const [made, setMade] = useState<{ readonly Part: ComponentType<P> } | 'failed'>()
  const fetchPart = (): void => {
    load().then(
      (Part) => setMade({ Part }),
      () => {
        if (end) say({ tone: 'bad', title: FAILED, text: 'Try again, or reload the page.' })
        if (end) end()
        else setMade('failed')
      },
    )
  }
  const state = connection.value
  useEffect(() => {
    if (!made || (made === 'failed' && state === 'live')) fetchPart()
  }, [state])
  if (made === 'failed')
    return (
      <p class="state">
        {FAILED}{' '}
        <button type="button" class="small" onClick={fetchPart}>
          Try again
        </button>
      </p>
    )
  if (!made) return loading === undefined ? null : <p class="state">{loading}</p>
  const { Part } = made
  return <Part {...props} />
}
