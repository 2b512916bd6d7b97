import { defineService, provideProcess } from '@gateway/sdk'
import { config } from '../config.ts'
import { quietTimes } from '../rules/quiet.ts'

export const quiet = defineService<{ isQuiet(at: Date): boolean }>('notifications.quiet', 'process')

export const quietProvider = provideProcess(quiet, {
  uses: { config },
  create: ({ config: { attention } }) => {
    try {
      return { isQuiet: quietTimes(attention.quietHours) }
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      throw new Error(
        `plugins.notifications.attention.quietHours.timeZone must be the name of a time zone, such as Europe/Berlin; got ${JSON.stringify(attention.quietHours?.timeZone)}`,
      )
    }
  },
})
