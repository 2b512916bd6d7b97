import { signal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import { OnDemand } from '../panels/on-demand.tsx'
import { dashboard } from '../session.ts'

const open = signal(false)
export const openPalette = (): void => void (open.value = true)

document.addEventListener('keydown', (event) => {
  if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
  if (dashboard.peek() === undefined || document.querySelector('dialog[open]')) return
  event.preventDefault()
  open.value = true
})

const load = () => import('./palette.tsx')
const loadPalette = async () => (await load()).Palette

/** The palette, whose code is fetched once the page is shown, so that it is there when a person types. */
export function PaletteHolder() {
  const [made, setMade] = useState<Awaited<ReturnType<typeof load>>>()
  // A failure is said when the palette is opened, which loads it again.
  useEffect(() => void load().then(setMade, () => undefined), [])
  if (!open.value) return null
  const close = (): void => void (open.value = false)
  return made ? <made.Palette close={close} /> : <OnDemand load={loadPalette} props={{ close }} end={close} />
}
