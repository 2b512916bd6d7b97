/** Loaded into a measured server: SIGUSR2 begins a CPU profile, and the next one writes it to the file that PROFILE names. */
import { writeFileSync } from 'node:fs'
import { Session } from 'node:inspector'

const MICROSECONDS = 200
let session

process.on('SIGUSR2', () => {
  if (session) {
    session.post('Profiler.stop', (_error, { profile }) => writeFileSync(process.env.PROFILE, JSON.stringify(profile)))
    session.disconnect()
    session = undefined
    return
  }
  session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.setSamplingInterval', { interval: MICROSECONDS })
  session.post('Profiler.start')
})
