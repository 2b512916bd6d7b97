import { alertRaised, defineJob, dueIn, now } from '@gateway/sdk'
import { decideAlert } from '@gateway/sdk/alerting'
import { records, syncStates } from '../collections.ts'
import { engine } from '../operations/engine.ts'

/** Chunks that wait longer for their vectors are out of step: a search by meaning does not find them. */
const STALE_MINUTES = 30
const stale = { pending: { lt: now(-STALE_MINUTES * 60) } } as const
/** A state that flaps raises one alert within this window. */
const WINDOW_MINUTES = 60
const STATE = 'vectors'

/** Runs for tenants where something has waited too long, or where an alert about it is open. */
export const syncWatch = defineJob('memory.sync-watch', {
  everySeconds: 60,
  due: [dueIn(records, stale), dueIn(syncStates, { toldAt: { gt: '' } })],
  uses: { records, syncStates, engine, alerts: alertRaised },
  async run({ records, syncStates, engine, alerts }, ctx): Promise<{ said?: 'raised' | 'recovered' }> {
    // Without a model nothing can be out of step: texts are found by their words.
    if (!engine.able().able) return {}
    const [oldest] = (await records.find({ where: stale, sort: { pending: 1 }, limit: 1 })).items
    const known = (await syncStates.get(STATE))?.alert
    const { say, state } = decideAlert(known, oldest ? 1 : 0, ctx.now(), WINDOW_MINUTES)
    if (state === undefined) return {}
    const set = { alert: state, ...(state.told && { toldAt: state.alertedAt }) }
    await syncStates.upsert({ stateId: STATE, ...set }, { set, ...(!state.told && { unset: ['toldAt'] as const }) })
    if (say === 'raised')
      alerts.emit({
        level: 'warning',
        source: 'memory.sync',
        title: 'Some stored chunks have no vectors',
        message: `Chunks have waited for their vectors since ${oldest?.pending}; until then a search finds them by words only. The log has the reason.`,
      })
    if (say === 'recovered')
      alerts.emit({
        level: 'info',
        source: 'memory.sync',
        title: 'All stored chunks have vectors again',
        message: 'No chunk waits long for its vectors.',
      })
    return say ? { said: say } : {}
  },
})
