import type { RecordedEvent } from '@gateway/sdk'
import type { JournalEvent, StoredEvent } from '../schema.ts'

/** An event to store. Data beyond the limit is left out, and `omittedBytes` tells its size. */
export function storedEvent({ eventId, event, payload }: RecordedEvent, at: Date, maxBytes: number): StoredEvent {
  const data = JSON.stringify(payload)
  const bytes = Buffer.byteLength(data)
  const kept = bytes > maxBytes ? { omittedBytes: bytes } : { data }
  return { eventId, event, at: at.toISOString(), ...kept, pending: true }
}

export function shownEvent({ eventId, event, at, data, omittedBytes, place = 0 }: StoredEvent): JournalEvent {
  return {
    cursor: String(place),
    id: eventId,
    event,
    at,
    data: data === undefined ? null : (JSON.parse(data) as object),
    ...(omittedBytes !== undefined && { omittedBytes }),
  }
}
