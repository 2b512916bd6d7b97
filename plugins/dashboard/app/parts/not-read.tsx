import type { Refusal } from '../api.ts'
import { plain } from '../text.ts'

/** The refusal of a reading, and the button that reads again. A menu around it stays open. */
export function NotRead({ refusal, again }: { refusal: Refusal; again: () => void }) {
  return (
    <>
      {plain(refusal.message)}{' '}
      <button type="button" class="small" onClick={(event) => [event.stopPropagation(), again()]}>
        Try again
      </button>
    </>
  )
}
