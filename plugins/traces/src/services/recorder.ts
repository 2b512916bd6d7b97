import { provide } from '@gateway/sdk'
import { spanRecorder } from '../api.ts'
import { recordSpan } from '../operations/record-span.ts'
import { storing } from '../operations/store-span.ts'

export const recorderProvider = provide(spanRecorder, {
  uses: storing,
  create: (uses, ctx) => ({ record: (span) => recordSpan(span, uses, ctx) }),
})
