import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { Icon } from './icon.tsx'

/** A window over the page: it takes the focus, gives it back, and Escape closes it. */
export function Dialog(props: { title: string; close: () => void; children: ComponentChildren; wide?: boolean }) {
  const { title, close, children, wide = false } = props
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const dialog = ref.current
    const before = document.activeElement
    dialog?.showModal()
    // The first input gets the focus before the close button.
    dialog?.querySelector<HTMLElement>(':is(.dialog-body, .palette) :is(input, select, textarea)')?.focus()
    return () => {
      dialog?.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={ref}
      class={wide ? 'wide' : undefined}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        close()
      }}
    >
      <header>
        <h2 id={id}>{title}</h2>
        <button type="button" class="quiet square" aria-label="Close" onClick={close}>
          <Icon name="x" />
        </button>
      </header>
      {children}
    </dialog>
  )
}
