import { callObserver, contribute } from '@gateway/sdk'
import { Meter, meterUses } from '../operations/meter.ts'

/** Sees every call of every tenant. */
export const meter = contribute(callObserver, { uses: meterUses, create: (refs, ctx) => new Meter(refs, ctx) })
