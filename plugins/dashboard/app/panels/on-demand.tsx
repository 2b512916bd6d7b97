import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'

/** A renderer whose code is fetched when the first panel of its kind is shown. */
export function OnDemand<P extends object>({
  load,
  loading,
  props,
}: {
  load: () => Promise<ComponentType<P>>
  loading?: string
  props: P
}) {
  const [made, setMade] = useState<{ readonly Part: ComponentType<P> } | 'failed'>()
  useEffect(() => {
    load().then(
      (Part) => setMade({ Part }),
      () => setMade('failed'),
    )
  }, [])
  if (made === 'failed') return <p class="state">A part of the dashboard could not be loaded. Reload the page.</p>
  if (!made) return loading === undefined ? null : <p class="state">{loading}</p>
  const { Part } = made
  return <Part {...props} />
}
