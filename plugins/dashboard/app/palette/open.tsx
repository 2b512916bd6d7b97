import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { dashboard } from '../session.ts'

const open = signal(false)
export const openPalette = (): void => void (open.value = true)

document.addEventListener('keydown', (event) => {
  if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
  if (dashboard.peek() === undefined || document.querySelector('dialog[open]')) return
  event.preventDefault()
  open.value = true
})

/** The palette, whose code is fetched once the page is shown, so that it is there when a person types. */
export function PaletteHolder() {
  const [made, setMade] = useState<{ readonly Palette: ComponentType<{ close: () => void }> }>()
  useEffect(() => void import('./palette.tsx').then(setMade), [])
  return open.value && made ? <made.Palette close={() => (open.value = false)} /> : null
}
